// What can be declared, as big buttons and keys. The time of a declaration is when it was pressed.

import { askCard, askRule, askText } from "./dialog.js";
import { make, toast, whisper } from "./dom.js";

// On one player's page: the digits, also those of a number pad, and a presenter's two keys.
const PLAYER_KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => [`Digit${digit}`, `Numpad${digit}`]);
const PRESENTER_KEYS = ["PageDown", "PageUp"];
// On the shared page: a row of letters for each player. A number pad laid between two players has
// its lowest row for A, its highest for B and the middle one for both.
const SEAT_KEYS = [
  ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT"],
  ["KeyU", "KeyI", "KeyO", "KeyP", "BracketLeft"],
  ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG"],
  ["KeyH", "KeyJ", "KeyK", "KeyL", "Semicolon"],
  ["KeyZ", "KeyX", "KeyC", "KeyV", "KeyB"],
];
const SEAT_PAD_KEYS = [["Numpad1", "Numpad2", "Numpad3"], ["Numpad7", "Numpad8", "Numpad9"]];
const COMMON_KEYS = [["Digit1", "Numpad4"], ["Digit2", "Numpad5"], ["Digit3", "Numpad6"], ["Digit4"], ["Digit5"]];

function keyName(code) {
  return code.replace(/^(Key|Digit|Bracket)/, "").replace("Numpad", "pad ").replace("Left", "[").replace("Semicolon", ";");
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
    place.hidden = role === "audience";
    if (role === "audience") return;
    addEventListener("pointerdown", (event) => (this.pressedAt = event.timeStamp), true);
    addEventListener("keydown", (event) => this.key(event));
  }

  show(board) {
    if (this.role === "audience" || board.buttons === this.shown) return;
    this.shown = board.buttons;
    this.rules = board.rules ?? [];
    this.game = board.head.game;
    const mine = (board.buttons ?? []).filter((button) => this.role === "operator" || !button.seat || button.seat === this.seat);
    this.keys.clear();
    const groups = this.role === "player" ? [this.group(null, null, order(mine))] : this.bySeat(mine, board.players);
    const open = this.place.querySelector("details")?.open;
    this.place.replaceChildren(...groups);
    const more = this.place.querySelector("details");
    if (more && open) more.open = true;
  }

  bySeat(buttons, players) {
    const common = buttons.filter((button) => !button.seat);
    const groups = common.length ? [this.group("All", null, order(common))] : [];
    for (const player of players ?? []) {
      const own = buttons.filter((button) => button.seat === player.seat);
      groups.push(this.group(player.name, player.seat, order(own)));
    }
    return groups;
  }

  group(title, seat, buttons) {
    const row = make("div", { class: "group-row" });
    const rest = make("div", { class: "group-row rest" });
    buttons.forEach((button, i) => {
      const codes = this.codes(seat, i);
      for (const code of codes) this.keys.set(code, button);
      (button.open ? row : rest).append(this.button(button, codes));
    });
    const head = title === null ? null : make("h2", { class: seat ? `seat-${seat}` : "" }, seat ? make("span", { class: `chip seat-${seat}` }, seat) : null, title);
    const more = rest.children.length ? make("details", { class: "more" }, make("summary", {}, "More"), rest) : null;
    return make("div", { class: "group", role: "group", "aria-label": title ?? "Declarations" }, head, row, more);
  }

  codes(seat, index) {
    if (this.role === "player") return [...(PLAYER_KEYS[index] ?? []), ...(PRESENTER_KEYS[index] ? [PRESENTER_KEYS[index]] : [])];
    if (!seat) return COMMON_KEYS[index] ?? [];
    const row = seat.charCodeAt(0) - 65;
    return [SEAT_KEYS[row]?.[index], SEAT_PAD_KEYS[row]?.[index]].filter(Boolean);
  }

  button(shown, codes) {
    const name = shown.seat && this.role === "operator" ? `${shown.seat}: ${shown.label}` : shown.label;
    const element = make(
      "button",
      { class: `say${shown.due ? " due" : ""}${shown.big ? " big" : ""} ${shown.seat ? `seat-${shown.seat}` : ""}`, "data-what": shown.what, "data-seat": shown.seat, title: shown.hint, "aria-label": `${name}. ${shown.hint}` },
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
    if (shown.ask === "joker") return this.joker(shown);
    return [];
  }

  async joker(shown) {
    const face = await askCard("My joker stands for");
    return face === null ? null : [`${shown.seat}:X1`, face];
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
