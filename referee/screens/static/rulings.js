// The list of rulings, newest first.

import { make } from "./dom.js";
import { sign } from "./icons.js";

const KINDS = { fault: "Fault", race: "Race", score: "Score", end: "End", query: "Question", unseen: "Not seen", info: "Note", cured: "Taken back", withdrawn: "Withdrawn" };

export function timeText(ms) {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}

export function marginText(ruling) {
  if (ruling.margin_ms === undefined) return null;
  const sure = ruling.p_first === undefined ? "" : `, ${Math.round(ruling.p_first * 100)} % sure`;
  const within = ruling.interval_ms === undefined ? "" : ` (± ${ruling.interval_ms.toFixed(0)} ms)`;
  return `by ${ruling.margin_ms.toFixed(ruling.margin_ms < 10 ? 1 : 0)} ms${within}${sure}`;
}

export function scoreText(ruling) {
  const entries = Object.entries(ruling.scores ?? {});
  return entries.map(([seat, points]) => `${seat} ${points > 0 ? "+" : ""}${points}`).join("   ");
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

  show(rulings) {
    if (rulings === this.shown) return;
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
    const by = ruling.state === "open" && ruling.disputed_by ? ` by ${ruling.disputed_by}` : "";
    return make(
      "li", { class: `ruling ${ruling.tone}${ruling.loud ? " loud" : ""}`, "data-id": ruling.id, "data-state": ruling.state },
      sign(ruling.tone),
      make(
        "div", { class: "words" },
        make("b", {}, ruling.head.startsWith(KINDS[ruling.tone]) ? null : make("span", { class: "hidden-text" }, `${KINDS[ruling.tone]}: `), ruling.head),
        make("p", {}, [ruling.text, scoreText(ruling), marginText(ruling)].filter(Boolean).join(" · ")),
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
