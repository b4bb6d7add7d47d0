// The set-up page: game, players, camera, pads, options; everything has a default.

import { Connection } from "./connection.js";
import { Corners } from "./corners.js";
import { byId, make, toast } from "./dom.js";
import { icon, sign } from "./icons.js";
import { setUpTheme, themeButton } from "./theme.js";

const SEATS = "ABCDEFGHIJKL";
const STEP_SIGNS = { open: "waiting", doing: "race", done: "cured", wrong: "fault" };
const PAD_SIGNS = { ready: "cured", silent: "fault", missing: "unseen" };

class SetupPage {
  constructor() {
    this.connection = new Connection({ role: "operator" });
    this.chosen = null;
    this.keys = {};
    this.connection.addEventListener("office", (event) => this.office(event.detail));
    this.connection.addEventListener("board", (event) => this.board(event.detail));
    this.connection.addEventListener("link", (event) => (byId("link").hidden = event.detail));
    this.connection.addEventListener("heard", (event) => event.detail.result === "lost" && toast("Not heard", "bad"));
    this.connection.addEventListener("refused", (event) => (byId("problem").textContent = event.detail));
    byId("begin").addEventListener("click", () => this.begin());
    this.corners = new Corners(byId("view"), () => this.table());
    byId("tools").append(themeButton());
  }

  board(board) {
    if (board.head.stage === "match") location.replace("/");
  }

  office(office) {
    const offer = office.offer;
    if (!offer) return;
    this.offer = offer;
    byId("welcome").hidden = !offer.first_run;
    if (!this.chosen) this.first(offer);
    byId("problem").textContent = offer.problem ?? "";
    this.mat(offer.mat);
    this.drawCamera(offer);
    this.drawPads(offer.pads);
  }

  first(offer) {
    const chosen = offer.chosen ?? { game: offer.games[0].name, chairs: [], options: [], source: "", pads: "auto" };
    this.chosen = {
      game: chosen.game,
      names: chosen.chairs.map((chair) => chair.name),
      count: chosen.chairs.length,
      options: Object.fromEntries(chosen.options.map((option) => [option.name, option.value])),
      source: chosen.source || offer.sources[0]?.address || "",
      pads: chosen.pads,
    };
    this.corners.at = chosen.corners ?? [];
    this.drawGames();
  }

  /** The mat under the camera tells the game and the players, until somebody chooses otherwise. */
  mat(mat) {
    const key = JSON.stringify(mat ?? null);
    if (key === this.matKey) return;
    this.matKey = key;
    if (!mat || this.touched || (mat.game === this.chosen.game && mat.players === this.chosen.count)) return;
    this.chosen.count = mat.players;
    if (mat.game !== this.chosen.game) this.chosen.options = {};
    this.chosen.game = mat.game;
    this.drawGames();
  }

  game() {
    return this.offer.games.find((game) => game.name === this.chosen.game) ?? this.offer.games[0];
  }

  drawGames() {
    const tile = (game) => {
      const players = game.fewest === game.most ? `${game.fewest} players` : `${game.fewest} to ${game.most} players`;
      const input = make("input", { type: "radio", name: "game", value: game.name, checked: game.name === this.chosen.game });
      input.addEventListener("change", () => this.choose(game.name));
      return make("label", { class: "game" }, input, make("b", {}, game.title), make("span", {}, game.line), make("small", {}, players));
    };
    byId("games").replaceChildren(...this.offer.games.map(tile));
    this.drawGame();
  }

  choose(name) {
    this.touched = true;
    this.chosen.game = name;
    this.chosen.options = {};
    this.drawGame();
  }

  drawGame() {
    const game = this.game();
    this.chosen.count = Math.min(Math.max(this.chosen.count || 2, game.fewest), game.most);
    this.table();
    this.drawChairs();
    this.drawOptions(game);
  }

  drawChairs() {
    const game = this.game();
    const chairs = Array.from({ length: this.chosen.count }, (_, i) => this.chair(i));
    const more = make("button", { type: "button", class: "add", disabled: this.chosen.count >= game.most }, "+ Add a player");
    more.addEventListener("click", () => this.count(1));
    const less = make("button", { type: "button", class: "add", disabled: this.chosen.count <= game.fewest }, "− One player less");
    less.addEventListener("click", () => this.count(-1));
    byId("chairs").replaceChildren(...chairs, ...(game.fewest === game.most ? [] : [make("div", { class: "row" }, more, less)]));
  }

  count(step) {
    this.touched = true;
    this.chosen.count += step;
    this.table();
    this.drawChairs();
  }

  /** Say which table is set up: markers that serve every game, and corners, do not tell. */
  table() {
    if (this.chosen.source !== "demo") this.order("table", this.chosen.game, String(this.chosen.count), ...this.corners.words());
  }

  chair(i) {
    const seat = SEATS[i];
    const input = make("input", { maxlength: 40, placeholder: `Player ${seat}`, value: this.chosen.names[i] ?? "", "aria-label": `Name of player ${seat}`, autocomplete: "off" });
    input.addEventListener("input", () => (this.chosen.names[i] = input.value));
    return make("div", { class: "chair" }, make("span", { class: `chip seat-${seat}` }, seat), input);
  }

  /** Each part is drawn anew only when it changed: a list that is open, and the picture, stay. */
  drawCamera(offer) {
    const part = (name, value, draw) => {
      const key = JSON.stringify(value);
      if (this.keys[name] === key) return;
      this.keys[name] = key;
      byId(name).replaceChildren(...draw());
    };
    part("source", [offer.sources], () => this.sources(offer));
    part("view", [offer.picture, this.chosen.source === "demo"], () => this.view(offer));
    part("steps", offer.steps, () => offer.steps.map((step) => this.step(step)));
    this.corners.show(offer.spots);
  }

  sources(offer) {
    const select = make("select", { "aria-label": "Camera" });
    for (const source of offer.sources) select.append(make("option", { value: source.address, selected: source.address === this.chosen.source }, source.label));
    const own = !offer.sources.some((source) => source.address === this.chosen.source);
    select.append(make("option", { value: "other", selected: own }, "Another address …"));
    const other = make("input", { placeholder: "http://192.168.1.20:8080/video", "aria-label": "Address of the camera", hidden: !own, value: own ? this.chosen.source : "" });
    select.addEventListener("change", () => {
      other.hidden = select.value !== "other";
      if (select.value !== "other") this.camera(select.value);
    });
    other.addEventListener("change", () => this.camera(other.value.trim()));
    return [select, other];
  }

  view(offer) {
    if (offer.picture) return this.corners.draw(make("img", { src: "/picture.mjpeg", alt: "What the camera sees now" }));
    const text = this.chosen.source === "demo" ? "No camera is needed: the game's sample match is refereed from its video." : "The picture appears here when the camera answers.";
    return [make("div", { class: "no-picture" }, icon("camera"), make("span", {}, text))];
  }

  camera(source) {
    this.chosen.source = source;
    this.corners.at = [];
    byId("problem").textContent = "";
    this.drawCamera({ ...this.offer, steps: [], picture: false });
    this.order("camera", source);
    this.table();
  }

  order(doing, ...words) {
    this.connection.say({ type: "order", do: doing, words });
  }

  step(step) {
    const button = step.state === "done" ? null : make("button", { type: "button" }, step.state === "doing" ? "…" : step.state === "wrong" ? "Again" : "Do it");
    button?.addEventListener("click", () => this.order("calibrate", step.name));
    const text = make("div", {}, make("b", {}, step.label), make("p", {}, step.text));
    if (step.name === "table" && (step.state === "wrong" || this.corners.at.length)) text.append(this.corners.button());
    return make("li", { class: `step ${step.state}` }, sign(STEP_SIGNS[step.state] ?? "info"), text, button);
  }

  drawPads(pads) {
    const list = pads.map((pad) => make("li", { class: "step" }, sign(PAD_SIGNS[pad.state] ?? "info"), make("div", {}, make("b", {}, pad.spot), make("p", {}, pad.text || pad.state))));
    const text = "None found. No game needs them: the camera and the buttons decide, with wider margins.";
    byId("pads").replaceChildren(list.length ? make("ul", { class: "steps" }, ...list) : make("p", { class: "hint" }, text));
  }

  drawOptions(game) {
    const shown = game.options.filter((option) => !option.name.startsWith("race."));
    const timing = game.options.filter((option) => option.name.startsWith("race."));
    byId("options").replaceChildren(
      ...shown.map((option) => this.option(option)),
      make("details", { class: "timing" }, make("summary", {}, "Timing"), ...timing.map((option) => this.option(option))),
    );
    this.summary();
  }

  option(option) {
    const now = this.chosen.options[option.name] ?? option.values[0];
    const set = (value) => {
      if (value === option.values[0]) delete this.chosen.options[option.name];
      else this.chosen.options[option.name] = value;
      this.summary();
    };
    const id = `option-${option.name}`;
    const input = option.free
      ? make("input", { id, value: now, inputmode: "decimal", maxlength: 9 })
      : make("select", { id }, ...option.values.map((value) => make("option", { value, selected: value === now }, value.replaceAll("_", " "))));
    input.addEventListener("change", () => set(input.value.trim() || option.values[0]));
    return make("div", { class: "option" }, make("label", { for: id }, make("b", {}, option.name.replaceAll("_", " ")), make("span", {}, option.meaning)), input);
  }

  summary() {
    const changed = Object.entries(this.chosen.options).map(([name, value]) => `${name.replaceAll("_", " ")}: ${value}`);
    byId("options-summary").textContent = changed.length ? changed.join(", ") : "All as printed; open to change";
  }

  begin() {
    const chosen = this.chosen;
    const chairs = Array.from({ length: chosen.count }, (_, i) => ({ seat: SEATS[i], name: (chosen.names[i] ?? "").trim() }));
    const setup = { game: chosen.game, chairs, options: chosen.options, source: chosen.source, pads: chosen.pads, corners: this.offer.mat ? [] : this.corners.at };
    this.connection.say({ type: "setup", setup });
  }
}

setUpTheme();
window.page = new SetupPage();
