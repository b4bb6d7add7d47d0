// The live page: joins the connection, the table, the rulings, the banner, the sound, the buttons.

import { Banners } from "./banner.js";
import { Buttons } from "./buttons.js";
import { Connection } from "./connection.js";
import { askText } from "./dialog.js";
import { byId, make, toast } from "./dom.js";
import { icon, sign } from "./icons.js";
import { Operator } from "./operator.js";
import { Picture } from "./picture.js";
import { nameOf, Rulings } from "./rulings.js";
import { Sound } from "./sound.js";
import { TableView } from "./table.js";
import { setUpTheme, themeButton } from "./theme.js";

const WORD_NAMES = { "take back": "Take back", live: "Live", waiting: "Waiting", race: "Race", blind: "Blind", paused: "Paused", ended: "Ended" };

/** Who this page is for, by its address: `?seat=B`, `?role=operator`, `?role=audience`. */
function wanted() {
  const query = new URLSearchParams(location.search);
  const seat = query.get("seat");
  if (seat && /^[A-L]$/.test(seat)) return { role: "player", seat };
  const role = query.get("role");
  return { role: ["audience", "operator"].includes(role) ? role : null, seat: null };
}

class LivePage {
  constructor() {
    const { role, seat } = wanted();
    this.role = role ?? "operator";
    this.asked = role;
    this.seat = seat;
    this.connection = new Connection(this.hello());
    this.table = new TableView(byId("table"));
    this.sound = new Sound(this.role === "player" ? "quiet" : "loud");
    this.banners = new Banners(byId("banners"), this.sound);
    this.rulings = new Rulings(byId("rulings"), this.role, seat);
    this.buttons = new Buttons(byId("buttons"), this.connection, this.role, seat);
    this.operator = new Operator(byId("operator-body"), this.connection, this.table);
    this.picture = new Picture(byId("picture"), byId("table"));
    this.clock = null;
    this.listen();
    this.drawTools();
    document.body.dataset.role = this.role;
    setInterval(() => this.tick(), 250);
  }

  hello() {
    return this.role === "player" ? { role: "player", seat: this.seat } : { role: this.role };
  }

  listen() {
    const on = (name, act) => this.connection.addEventListener(name, (event) => act(event.detail));
    on("welcome", (welcome) => this.welcome(welcome));
    on("board", (board) => this.show(board));
    on("office", (office) => this.operator.office(office));
    on("link", (open) => (byId("link").hidden = open));
    on("heard", (heard) => this.heard(heard));
    on("refused", (reason) => toast(reason, "bad"));
    byId("rulings").addEventListener("review", (event) => this.operator.review(event.detail));
    byId("rulings").addEventListener("dispute", (event) => this.dispute(event.detail));
  }

  /** Without a wish in its address, the page of a player's link asks who is there. */
  welcome(welcome) {
    if (this.asked === null && welcome.level !== "operator") location.replace("/join");
    byId("operator").hidden = this.role !== "operator";
  }

  async dispute(ruling) {
    const why = await askText(`Dispute: ${ruling.head}`, "What did you see? (optional)", 11);
    if (why !== null) this.connection.say({ type: "say", seat: this.seat, what: "dispute", words: [nameOf(ruling), ...why] });
  }

  heard(heard) {
    this.buttons.heard(heard);
    if (heard.result === "lost") toast("Not heard: the referee could not be reached", "bad");
    if (heard.result === "repeat") toast("Already said");
  }

  show(board) {
    if (board.head.stage === "setup") {
      if (this.role === "operator") location.replace("/setup");
      byId("empty").textContent = "The match is being set up.";
      return;
    }
    byId("empty").hidden = true;
    const head = board.head;
    if (head !== this.head) this.showHead(head);
    if (board.status !== this.status) this.showStatus(board.status, board.marks ?? []);
    if (board.players !== this.players) this.showPlayers(board.players);
    this.table.show(board, this.edge);
    this.picture.show(board);
    this.clock = board.clock === this.shownClock ? this.clock : { ...board.clock, since: performance.now() };
    this.shownClock = board.clock;
    this.rulings.show(board);
    this.banners.show(board, this.sides);
    this.buttons.show(board);
    this.operator.show(board);
    this.tick();
  }

  showHead(head) {
    this.head = head;
    byId("title").textContent = head.game_title;
    byId("subtitle").textContent = head.title || head.match;
    document.title = `${head.game_title} – table referee`;
  }

  showStatus(status, marks) {
    this.status = status;
    const word = byId("word");
    word.replaceChildren(sign(status.word), WORD_NAMES[status.word] ?? status.word);
    byId("state").dataset.word = status.word;
    document.body.dataset.word = status.word;
    byId("prompt").textContent = [status.prompt, ...marks].join(" – ");
  }

  showPlayers(players) {
    this.players = players;
    const own = players.find((player) => player.seat === this.seat);
    this.edge = own?.edge ?? "south";
    const around = ["south", "west", "north", "east"];
    const turn = around.indexOf(this.edge);
    const places = { near: [], left: [], far: [], right: [] };
    this.sides = {};
    for (const player of players) {
      const side = ["near", "left", "far", "right"][(around.indexOf(player.edge) - turn + 4) % 4];
      this.sides[player.seat] = side;
      places[side].push(plate(player, player.seat === this.seat));
    }
    // With one player a side the plates stand in the corners and leave the room to the table.
    const single = Object.values(places).every((plates) => plates.length < 2);
    document.body.classList.toggle("corner-plates", single && !places.left.length && !places.right.length);
    for (const [place, plates] of Object.entries(places)) byId(`plates-${place}`).replaceChildren(...plates);
  }

  tick() {
    const clock = this.clock;
    if (!clock) return;
    const gained = clock.running ? (performance.now() - clock.since) * clock.rate : 0;
    const total = Math.floor((clock.t_ms + gained) / 1000);
    const text = `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
    if (byId("clock").textContent !== text) byId("clock").textContent = text;
  }

  drawTools() {
    const full = make("button", { class: "tool", "aria-label": "Full screen", title: "Full screen (Shift+F)" }, icon("full"));
    full.addEventListener("click", fullScreen);
    const help = make("a", { class: "tool", href: "/help", target: "_blank", "aria-label": "Keys and help", title: "Keys and help" }, icon("help"));
    const flat = this.role === "player" ? [] : [flatButton()];
    byId("tools").append(this.picture.button(), this.sound.button(), ...flat, themeButton(), full, help);
    addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.code === "KeyM" && event.shiftKey) this.sound.toggle();
      if (event.code === "KeyF" && event.shiftKey) fullScreen();
      // Whoever goes from button to button with the keyboard presses one with the space bar.
      const pressing = event.code === "Space" && event.target.closest("button, a, summary")?.matches(":focus-visible");
      if (event.code === "Escape" || (event.code === "Space" && !pressing)) this.banners.clear() && event.preventDefault();
    });
  }
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

/** For a screen that lies on the table: what stands at a side is turned to whoever sits there. */
function flatButton() {
  const word = "This screen lies on the table: turn each side to its player";
  const button = make("button", { class: "tool", "aria-label": word, title: word }, icon("table"));
  const turn = (flat) => {
    document.body.classList.toggle("flat", flat);
    button.setAttribute("aria-pressed", String(flat));
  };
  turn(localStorage.getItem("flat") === "yes");
  button.addEventListener("click", () => {
    turn(!document.body.classList.contains("flat"));
    localStorage.setItem("flat", document.body.classList.contains("flat") ? "yes" : "no");
  });
  return button;
}

function plate(player, own) {
  const owes = player.owes ? make("span", { class: "owes" }, sign("take back"), `owes ${player.owes}`) : null;
  return make(
    "div", { class: `plate${own ? " own" : ""}` },
    make("span", { class: `chip seat-${player.seat}` }, player.seat),
    make("span", { class: "who" }, make("b", {}, player.name), make("small", {}, player.note), owes),
    player.score === undefined ? null : make("span", { class: "score", "aria-label": "points" }, String(player.score)),
  );
}

setUpTheme();
window.page = new LivePage();
