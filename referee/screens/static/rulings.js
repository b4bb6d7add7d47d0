// The list of rulings, newest first.

import { make } from "./dom.js";
import { sign } from "./icons.js";

const KINDS = { fault: "Fault", race: "Race", score: "Score", end: "End", query: "Question", unseen: "Not seen", info: "Note", cured: "Taken back", withdrawn: "Withdrawn" };

export function timeText(ms) {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}

/** How surely a race was decided; its text says by how much. What is measured is never wholly sure. */
function sureText(ruling) {
  if (!ruling.winner || ruling.p_first === undefined) return null;
  return `${Math.min(99.9, 100 * ruling.p_first).toFixed(1)} % sure`;
}

/** What a ruling says under its head: its text, the points with the players' names, how surely. */
export function wholeText(ruling, names = {}) {
  const points = Object.entries(ruling.scores ?? {}).map(([seat, points]) => `${names[seat] ?? seat} ${points > 0 ? "+" : ""}${points}`);
  // An end names the totals in its text already.
  const scores = ruling.tone === "end" && ruling.text ? "" : points.join(", ");
  return [ruling.text, scores, sureText(ruling)].filter(Boolean).join(" · ");
}

/** The players' names by seat. */
export function namesOf(board) {
  return Object.fromEntries((board.players ?? []).map((player) => [player.seat, player.name]));
}

const STATES = { open: "Disputed", confirmed: "Looked at again: it stands", withdrawn: "Looked at again: withdrawn", changed: "Looked at again: changed" };

/** What a ruling is called where it is disputed: its event and, as an event may have two, its rule. */
export function nameOf(ruling) {
  return `${ruling.n}:${ruling.rule}`;
}

export class Rulings {
  /** The list raises `review` and `dispute` events with a ruling for what was pressed on it. */
  constructor(list, role, seat) {
    this.list = list;
    this.role = role;
    this.seat = seat;
    this.items = new Map();
  }

  show(board) {
    const rulings = board.rulings ?? [];
    if (rulings === this.shown) return;
    this.names = namesOf(board);
    this.shown = rulings;
    const ids = new Set(rulings.map((ruling) => ruling.id));
    for (const [id, item] of this.items) {
      if (ids.has(id)) continue;
      item.remove();
      this.items.delete(id);
    }
    for (const ruling of rulings) {
      const known = this.items.get(ruling.id);
      if (known?.dataset.state === ruling.state) continue;
      const item = this.item(ruling);
      this.items.set(ruling.id, item);
      if (known) known.replaceWith(item);
      else this.list.prepend(item);
    }
    this.list.classList.toggle("none", rulings.length === 0);
  }

  item(ruling) {
    const small = make("div", { class: "small" }, make("span", {}, timeText(ruling.t_ms)), make("span", {}, ruling.rule));
    const tools = this.tools(ruling);
    const by = ruling.state === "open" && ruling.disputed_by ? ` by ${this.names[ruling.disputed_by] ?? ruling.disputed_by}` : "";
    return make(
      "li", { class: `ruling ${ruling.tone}${ruling.loud ? " loud" : ""}`, "data-id": ruling.id, "data-state": ruling.state },
      sign(ruling.tone),
      make(
        "div", { class: "words" },
        make("b", {}, ruling.head.startsWith(KINDS[ruling.tone]) ? null : make("span", { class: "hidden-text" }, `${KINDS[ruling.tone]}: `), ruling.head),
        make("p", {}, wholeText(ruling, this.names)),
        ruling.loud && ruling.rule_text ? make("q", {}, ruling.rule_text) : null,
        ruling.remedy ? make("p", { class: "remedy" }, `→ ${ruling.remedy}`) : null,
        STATES[ruling.state] ? make("p", { class: "reviewed" }, STATES[ruling.state] + by) : null,
        small,
        tools.length ? make("div", { class: "tools-row" }, ...tools) : null,
      ),
    );
  }

  tools(ruling) {
    const tools = [];
    const raise = (name, label) => make("button", { class: "link", onclick: () => this.list.dispatchEvent(new CustomEvent(name, { detail: ruling })) }, label);
    if (ruling.disputable) {
      tools.push(make("a", { href: `/dispute/${nameOf(ruling)}`, target: "_blank", rel: "noopener" }, "Show the moment"));
      if (this.role !== "audience" && ruling.state === "") tools.push(raise("dispute", "Dispute"));
    }
    if (this.role === "operator" && ["fault", "race", "query"].includes(ruling.tone) && ruling.state !== "withdrawn") {
      tools.push(raise("review", ruling.tone === "query" ? "Answer" : "Review"));
    }
    return tools;
  }
}
