// What only the operator can do: pause, correct, answer, review, end; each is logged.

import { ask, askCard, askSure, field, ruleSelect, wordsOf } from "./dialog.js";
import { byId, make } from "./dom.js";
import { cardText, cardWords } from "./cards.js";
import { nameOf } from "./rulings.js";

export class Operator {
  constructor(place, connection, table) {
    this.place = place;
    this.connection = connection;
    this.board = null;
    this.links = null;
    table.onPile = (zone, words) => connection.hello.role === "operator" && this.pile(zone, words);
  }

  order(doing, ...words) {
    this.connection.say({ type: "order", do: doing, words });
  }

  office(office) {
    if (office.addresses && !this.links) {
      this.links = office.addresses;
      this.exposed = office.exposed;
      this.board && this.draw(this.board);
    }
    this.pages = office.pages ?? [];
    const place = byId("pages");
    if (place) place.replaceChildren(...this.pageList());
  }

  show(board) {
    const key = [board.status.word, (board.owed ?? []).map((debt) => debt.seat).join()].join("|");
    this.board = board;
    if (key === this.key) return;
    this.key = key;
    this.draw(board);
  }

  draw(board) {
    const paused = board.status.word === "paused";
    const button = (label, act, kind = "") => make("button", { class: kind, onclick: act }, label);
    const owing = [...new Set((board.owed ?? []).map((debt) => debt.seat).filter(Boolean))];
    const forgive = owing.map((seat) => button(`Let ${board.players.find((player) => player.seat === seat)?.name ?? seat} off`, () => this.order("forgive", seat)));
    this.place.replaceChildren(
      make(
        "div", { class: "row" },
        paused ? button("Continue", () => this.order("continue"), "main") : button("Pause", () => this.order("pause"), "main"),
        button("Rule a fault …", () => this.rule()),
        button("Correct a pile …", () => this.choosePile()),
        ...forgive,
      ),
      make("p", { class: "hint" }, "Touch a pile on the table to correct a card or its height."),
      make(
        "details", { class: "invite", open: false },
        make("summary", {}, "Phones and screens"),
        ...this.invitation(),
        make("ul", { id: "pages" }, ...this.pageList()),
        make("p", {}, make("a", { href: "/overlay", target: "_blank" }, "Overlay for streams"), " · ", make("a", { href: "/?role=audience", target: "_blank" }, "Page for a projector")),
      ),
      make(
        "div", { class: "row" },
        button("Note …", () => this.note()),
        button("Restart …", () => this.sure("restart", "Begin this match again?", "Everything so far stays in the record.")),
        button("End …", () => this.sure("end", "End this match?", "Nothing more is judged.")),
        button("New match …", () => this.sure("setup", "Set up another match?", "This one ends.")),
      ),
    );
  }

  invitation() {
    if (!this.links) return [];
    const link = make("p", { class: "link-text" }, this.links.player);
    if (!this.exposed) {
      const why = "Only this machine can open the page now. Start the referee with --host 0.0.0.0 to let phones in.";
      return [make("p", { class: "hint" }, why), link];
    }
    return [make("img", { src: "/qr.svg?for=player", alt: "Code that opens the page on a phone", class: "qr" }), link];
  }

  pageList() {
    const names = { audience: "Audience", player: "Player", operator: "Operator" };
    return (this.pages ?? []).map((page) => make("li", {}, `${names[page.role]}${page.seat ? ` ${page.seat}` : ""}, ${page.name}`));
  }

  async sure(doing, title, text) {
    if (await askSure(title, text, "Yes")) this.order(doing);
  }

  async note() {
    const input = make("input", { name: "text", maxlength: 200, autofocus: true });
    const words = await ask("Note for the record", [field("What happened?", input)], (form) => wordsOf(form.elements.text.value, 12));
    if (words?.length) this.order("note", ...words);
  }

  async rule() {
    const seats = this.seatSelect();
    const body = [field("Rule", ruleSelect(this.board.rules ?? [])), field("Who", seats)];
    const found = await ask("Rule a fault", body, (form) => [form.elements.rule.value, form.elements.seat.value], "Rule");
    if (found?.[0]) this.order("rule", ...found.filter(Boolean));
  }

  seatSelect() {
    const select = make("select", { name: "seat" }, make("option", { value: "" }, "nobody named"));
    for (const player of this.board.players) select.append(make("option", { value: player.seat }, `${player.seat} – ${player.name}`));
    return select;
  }

  /** What players call a pile. */
  called(zone) {
    return this.board.plan?.zones[zone]?.words || zone;
  }

  async choosePile() {
    const select = make("select", { name: "zone" });
    const zones = new Set([...Object.keys(this.board.plan?.zones ?? {}), ...Object.keys(this.board.cards ?? {})]);
    for (const zone of [...zones].sort()) select.append(make("option", { value: zone }, this.called(zone)));
    const zone = await ask("Correct a pile", [field("Which pile?", select)], (form) => form.elements.zone.value, "Next");
    if (zone) this.pile(zone, this.board.cards?.[zone] ?? []);
  }

  /** One pile: which card is it really, or how many are there. */
  async pile(zone, words) {
    const list = make("div", { class: "pile-list" });
    let chosen = null;
    const dialogDone = ask(
      `Correct ${this.called(zone)}`,
      [
        make("p", {}, words.length ? "Touch the card that was read wrongly, the top one first:" : "Nothing is known to lie here."),
        list,
        field("Or say how many cards lie here", make("input", { name: "height", type: "number", min: 0, max: 120, value: words.length, inputmode: "numeric" })),
      ],
      (form) => form.elements.height.value,
      "Set the height",
    );
    [...words].reverse().forEach((word, index) => {
      const button = make("button", { type: "button", "aria-label": `Correct ${cardWords(word)}` }, word.startsWith("[") ? "▧" : cardText(word));
      button.addEventListener("click", () => {
        chosen = index;
        button.closest("dialog").close("no");
      });
      list.append(button);
    });
    const height = await dialogDone;
    if (chosen !== null) await this.card(zone, chosen, words.at(-1 - chosen));
    else if (height !== null && Number(height) !== words.length) this.order("height", zone, String(Number(height)));
  }

  async card(zone, pos, word) {
    const numbers = this.board.head.game === "xix";
    const face = await askCard(`What is it really? (${this.called(zone)})`, { numbers, jokers: this.board.head.game === "nertz" });
    if (face === null) return;
    const deck = word.replace("[", "").match(/^([A-L]):/)?.[1];
    this.order("correct", zone, String(pos), deck ? `${deck}:${face}` : face);
  }

  /** Answer a question, or look again at a ruling. */
  async review(ruling) {
    const choices = make("select", { name: "how" });
    for (const [value, label] of this.choices(ruling)) choices.append(make("option", { value }, label));
    const why = make("input", { name: "why", maxlength: 120, required: ruling.tone !== "query", autocomplete: "off" });
    const answer = await ask(
      ruling.head,
      [make("p", {}, ruling.text), make("q", {}, ruling.rule_text ?? ""), field("Decision", choices), field(ruling.tone === "query" ? "Reason" : "Reason, for the record", why)],
      (form) => [form.elements.how.value, wordsOf(form.elements.why.value, 10)],
      "Decide",
    );
    if (answer) this.decide(ruling, ...answer);
  }

  /** What the operator can decide about a ruling: the value says what to do, the label what it means. */
  choices(ruling) {
    const first = this.board.players.map((player) => [`first ${player.seat}`, `${player.name} was first`]);
    if (ruling.tone === "query") return [["answer nothing", "Nothing happened: go on"], ["rule", "It was a fault …"], ...first];
    const found = [["confirm", "The ruling stands"], ["withdraw", "The ruling is withdrawn"]];
    if (ruling.tone === "race") {
      const won = this.board.players.filter((player) => player.seat !== ruling.winner);
      return [...found, ...won.map((player) => [`change winner:${player.seat}`, `${player.name} was first`]), ["change winner:tie", "It was a dead heat"]];
    }
    const others = this.board.players.filter((player) => !ruling.seats.includes(player.seat));
    return [
      ...found, ["change card", "It was another card …"],
      ...others.map((player) => [`change player:${player.seat}`, `It was ${player.name}`]),
      ...ruling.seats.map((seat) => [`forgive ${seat}`, `${seat} owes nothing`]),
    ];
  }

  async decide(ruling, how, why) {
    const [doing, what] = how.split(" ");
    if (doing === "rule") this.rule();
    else if (doing === "first" || doing === "forgive") this.order(doing, what);
    else if (doing === "answer") this.order("answer", String(ruling.n), "nothing", ...why);
    else if (what === "card") {
      const face = await askCard("Which card was it?", { numbers: this.board.head.game === "xix" });
      if (face !== null) this.order("change", nameOf(ruling), `card:${face}`, ...why);
    } else if (doing === "change") this.order("change", nameOf(ruling), what, ...why);
    else this.order(doing, nameOf(ruling), ...why);
  }
}
