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

export class Rulings {
  constructor(list) {
    this.list = list;
    this.first = true;
    this.items = new Map();
  }

  show(rulings, role) {
    if (rulings === this.shown) return;
    this.shown = rulings;
    const ids = new Set(rulings.map((ruling) => ruling.id));
    for (const [id, item] of this.items) {
      if (ids.has(id)) continue;
      item.remove();
      this.items.delete(id);
    }
    for (const ruling of rulings) {
      if (this.items.has(ruling.id)) continue;
      const item = this.item(ruling, role);
      this.items.set(ruling.id, item);
      this.list.prepend(item);
    }
    this.list.classList.toggle("none", rulings.length === 0);
  }

  item(ruling, role) {
    const small = make("div", { class: "small" }, make("span", {}, timeText(ruling.t_ms)), make("span", {}, ruling.rule));
    const tools = [];
    if (ruling.disputable) tools.push(make("a", { href: `/dispute/${ruling.n}`, target: "_blank", rel: "noopener" }, "Show the moment"));
    if (role === "operator" && ["fault", "race", "query"].includes(ruling.tone)) {
      tools.push(make("button", { class: "link", onclick: () => this.ask(ruling) }, ruling.tone === "query" ? "Answer" : "Review"));
    }
    return make(
      "li", { class: `ruling ${ruling.tone}${ruling.loud ? " loud" : ""}`, "data-id": ruling.id },
      sign(ruling.tone),
      make(
        "div", { class: "words" },
        make("b", {}, ruling.head.startsWith(KINDS[ruling.tone]) ? null : make("span", { class: "hidden-text" }, `${KINDS[ruling.tone]}: `), ruling.head),
        make("p", {}, [ruling.text, scoreText(ruling), marginText(ruling)].filter(Boolean).join(" · ")),
        ruling.loud && ruling.rule_text ? make("q", {}, ruling.rule_text) : null,
        ruling.remedy ? make("p", { class: "remedy" }, `→ ${ruling.remedy}`) : null,
        small,
        tools.length ? make("div", { class: "tools-row" }, ...tools) : null,
      ),
    );
  }

  ask(ruling) {
    this.list.dispatchEvent(new CustomEvent("review", { detail: ruling }));
  }
}
