// The banner of a new ruling: each ruling once, however often the page is loaded or reconnects.

import { make } from "./dom.js";
import { sign } from "./icons.js";
import { namesOf, wholeText } from "./rulings.js";

const SHOWN_MS = { fault: 12000, query: 12000, end: 15000, race: 8000, score: 8000 };
const MOST = matchMedia("(max-width: 700px)").matches ? 2 : 3;
// What makes room when there are more: the least grave, the oldest of them first.
const GRAVE = ["score", "race", "end", "query", "fault"];
// More than this at once is the past, read when the page was away: the list has it.
const MOST_NEW = 4;

export class Banners {
  constructor(place, sound) {
    this.place = place;
    this.sound = sound;
    this.match = null;
    this.last = 0;
  }

  /**
   * Announce what is new since the last board, this page's or the one before a reload.
   *
   * `sides` tells for each seat at which side of the page it is.
   */
  show(board, sides) {
    const rulings = board.rulings ?? [];
    const newest = rulings.length ? rulings[rulings.length - 1].id : 0;
    if (board.head.match !== this.match) this.begin(board.head.match, newest);
    if (newest < this.last) this.last = 0; // the match was begun again
    if (newest === this.last) return;
    const fresh = rulings.filter((ruling) => ruling.id > this.last && ruling.loud).slice(-MOST_NEW);
    this.keep(newest);
    for (const ruling of fresh) this.add(ruling, namesOf(board), sides);
    if (fresh.length) this.sound.rulings(fresh);
  }

  begin(match, newest) {
    const kept = JSON.parse(sessionStorage.getItem("announced") ?? "null");
    this.match = match;
    this.last = kept?.match === match && kept.last <= newest ? kept.last : newest;
  }

  keep(newest) {
    this.last = newest;
    sessionStorage.setItem("announced", JSON.stringify({ match: this.match, last: newest }));
  }

  add(ruling, names, sides) {
    const meant = new Set(ruling.seats.map((seat) => sides[seat]));
    const side = meant.size === 1 ? ` to-${[...meant][0]}` : "";
    const close = make("button", { class: "ok", "aria-label": "Seen; close this ruling" }, "OK");
    const banner = make(
      "article", { class: `banner ${ruling.tone}${side}`, "data-id": ruling.id },
      sign(ruling.tone),
      make(
        "div", { class: "words" },
        make("h2", {}, ruling.head),
        make("p", { class: "text" }, wholeText(ruling, names)),
        ruling.rule_text ? make("q", {}, ruling.rule_text) : null,
        ruling.remedy ? make("p", { class: "remedy" }, `→ ${ruling.remedy}`) : null,
      ),
      close,
    );
    close.addEventListener("click", () => banner.remove());
    this.place.prepend(banner);
    while (this.place.children.length > MOST) this.leastGrave().remove();
    setTimeout(() => banner.remove(), SHOWN_MS[ruling.tone] ?? 8000);
  }

  leastGrave() {
    const banners = [...this.place.children].reverse();
    const weight = (banner) => GRAVE.findIndex((tone) => banner.classList.contains(tone));
    return banners.reduce((least, banner) => (weight(banner) < weight(least) ? banner : least));
  }

  /** Close the newest banner; whether there was one. */
  clear() {
    const banner = this.place.firstElementChild;
    banner?.remove();
    return Boolean(banner);
  }
}
