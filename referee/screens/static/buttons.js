// What can be declared, as big buttons and keys. The time of a declaration is when it was pressed.

import { askCard, askNumber, askRule, askText } from "./dialog.js";
import { make, toast, whisper } from "./dom.js";

// A finger that is lifted clicks, within a few milliseconds at most; a click needs its button.
const CLICK_MS = 100;
// On one player's page: the digits, also those of a number pad.
const PLAYER_KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"].map((digit) => [`Digit${digit}`, `Numpad${digit}`]).concat([["KeyQ"], ["KeyW"]]);
// A presenter's two keys press the two foremost buttons: what is due, then the big ones.
const PRESENTER_KEYS = ["PageDown", "PageUp"];
// On the shared page: five keys for each player; of two players each has a second row.
const SEAT_KEYS = [
  ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT"],
  ["KeyU", "KeyI", "KeyO", "KeyP", "BracketLeft"],
  ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG"],
  ["KeyH", "KeyJ", "KeyK", "KeyL", "Semicolon"],
  ["KeyZ", "KeyX", "KeyC", "KeyV", "KeyB"],
  ["KeyN", "KeyM", "Comma", "Period", "Slash"],
  ["Digit6", "Digit7", "Digit8", "Digit9", "Digit0"],
  ["Minus", "Equal", "BracketRight", "Backslash", "Quote"],
];
// A number pad laid between two players has its lowest row for A, its highest for B and the middle
// one for both: the three foremost buttons of each.
const SEAT_PAD_KEYS = [["Numpad1", "Numpad2", "Numpad3"], ["Numpad7", "Numpad8", "Numpad9"]];
const COMMON_KEYS = ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5"];
const COMMON_PAD_KEYS = ["Numpad4", "Numpad5", "Numpad6"];
const SIGNS = {
  BracketLeft: "[", BracketRight: "]", Semicolon: ";", Comma: ",", Period: ".", Slash: "/",
  Minus: "-", Equal: "=", Backslash: "\\", Quote: "'",
};

function keyName(code) {
  return SIGNS[code] ?? code.replace(/^(Key|Digit)/, "");
}

export class Buttons {
  constructor(place, connection, role, seat) {
    this.place = place;
    this.connection = connection;
    this.role = role;
    this.seat = seat;
    this.keys = new Map();
    this.sent = new Map();
    this.pressedAt = null;
    this.pressing = false;
    this.later = null; // the board that came while a button was pressed
    place.hidden = role === "audience";
    if (role === "audience") return;
    addEventListener("pointerdown", (event) => (this.pressedAt = event.timeStamp), true);
    place.addEventListener("pointerdown", () => (this.pressing = true));
    for (const lifted of ["pointerup", "pointercancel"]) addEventListener(lifted, () => this.pressing && setTimeout(() => this.release(), CLICK_MS));
    addEventListener("keydown", (event) => this.key(event));
  }

  /** Show the buttons of a board; not while a finger presses one, which would then say nothing. */
  show(board) {
    if (this.role === "audience" || board.buttons === this.shown) return;
    this.later = this.pressing ? board : null;
    if (this.pressing) return;
    this.shown = board.buttons;
    this.rules = board.rules ?? [];
    this.game = board.head.game;
    const mine = (board.buttons ?? []).filter((button) => this.role === "operator" || !button.seat || button.seat === this.seat);
    this.keys.clear();
    const groups = this.role === "player" ? [this.group(null, null, mine)] : this.bySeat(mine, board.players);
    const open = [...this.place.querySelectorAll("details[open]")].map((more) => more.dataset.seat);
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.place.replaceChildren(...groups);
    for (const more of this.place.querySelectorAll("details")) more.open = open.includes(more.dataset.seat);
    if (focused) this.place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  release() {
    this.pressing = false;
    if (this.later) this.show(this.later);
  }

  bySeat(buttons, players) {
    const common = buttons.filter((button) => !button.seat);
    const groups = common.length ? [this.group("All", null, common)] : [];
    this.alone = (players ?? []).length < 3;
    for (const player of players ?? []) {
      const own = buttons.filter((button) => button.seat === player.seat);
      groups.push(this.group(player.name, player.seat, own));
    }
    return groups;
  }

  group(title, seat, buttons) {
    const row = make("div", { class: "group-row" });
    const rest = make("div", { class: "group-row rest" });
    const keys = this.seatKeys(seat);
    const codes = new Map(buttons.map((button, i) => [button, [keys[i] ?? []].flat()]));
    const shown = order(buttons);
    shown.forEach((button, i) => codes.get(button).push(...this.placeKeys(seat, i)));
    for (const button of shown) {
      for (const code of codes.get(button)) this.keys.set(code, button);
      (button.open ? row : rest).append(this.button(button, codes.get(button)));
    }
    const head = title === null ? null : make("h2", { class: seat ? `seat-${seat}` : "" }, seat ? make("span", { class: `chip seat-${seat}` }, seat) : null, title);
    const more = rest.children.length ? make("details", { class: "more", "data-seat": seat ?? "all" }, make("summary", {}, "More"), rest) : null;
    return make("div", { class: "group", role: "group", "aria-label": title ?? "Declarations" }, head, row, more);
  }

  /** The keys of a group's buttons in the game's order, which stay whatever is due. */
  seatKeys(seat) {
    if (this.role === "player") return PLAYER_KEYS;
    if (!seat) return COMMON_KEYS;
    const row = seat.charCodeAt(0) - 65;
    return [...(SEAT_KEYS[row] ?? []), ...(this.alone ? (SEAT_KEYS[row + 2] ?? []) : [])];
  }

  /** The keys of the place at which a button stands. */
  placeKeys(seat, index) {
    const pads = this.role === "player" ? PRESENTER_KEYS : seat ? SEAT_PAD_KEYS[seat.charCodeAt(0) - 65] : COMMON_PAD_KEYS;
    return [pads?.[index]].filter(Boolean);
  }

  button(shown, codes) {
    const name = shown.seat && this.role === "operator" ? `${shown.seat}: ${shown.label}` : shown.label;
    const element = make(
      "button",
      { class: `say${shown.due ? " due" : ""}${shown.big ? " big" : ""} ${shown.seat ? `seat-${shown.seat}` : ""}`, "data-what": shown.what, "data-seat": shown.seat, "data-key": [shown.seat ?? "", shown.what, ...shown.words].join(" "), title: shown.hint, "aria-label": `${name}. ${shown.hint}` },
      make("span", { class: "label" }, shown.label, codes.length ? make("kbd", {}, keyName(codes[0])) : null),
      make("small", {}, shown.hint),
    );
    element.addEventListener("click", (event) => {
      // A click that no pointer made comes from the keyboard or a screen reader.
      const pressed = event.detail > 0 && this.pressedAt !== null ? this.pressedAt : event.timeStamp;
      this.declare(shown, pressed, "button", element);
    });
    return element;
  }

  key(event) {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    const shown = this.keys.get(event.code);
    if (!shown) return;
    event.preventDefault();
    this.declare(shown, event.timeStamp, "key", null);
  }

  async declare(shown, pressed, by, element) {
    const more = await this.details(shown);
    if (more === null) return;
    const message = { type: "say", seat: shown.seat ?? (this.role === "player" ? this.seat : null), what: shown.what, words: [...shown.words, ...more], by };
    const id = this.connection.say(message, pressed);
    this.sent.set(id, shown);
    element?.classList.add("sent");
    setTimeout(() => element?.classList.remove("sent"), 600);
    navigator.vibrate?.(25);
  }

  details(shown) {
    if (shown.ask === "text") return askText(shown.label, "Which name?");
    if (shown.ask === "rule") return askRule(this.rules);
    if (shown.ask === "number") return askNumber(shown.label);
    if (shown.ask === "joker") return this.joker();
    return [];
  }

  async joker() {
    const face = await askCard("The joker stands for");
    return face === null ? null : [face];
  }

  heard(heard) {
    const shown = this.sent.get(heard.id);
    this.sent.delete(heard.id);
    if (!shown || heard.result !== "taken") return;
    const who = shown.seat ? `${shown.seat}: ` : "";
    whisper(`${shown.label} heard`);
    toast(`${who}${shown.label} ✓`, "good");
  }
}

function order(buttons) {
  const weight = (button) => (button.due ? 0 : button.big ? 1 : 2);
  return buttons.map((button, i) => [button, i]).sort(([a, i], [b, j]) => weight(a) - weight(b) || i - j).map(([button]) => button);
}
