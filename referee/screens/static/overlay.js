// The overlay for streams: scores, players, the last ruling, and a race again with its margin.

import { Connection } from "./connection.js";
import { byId, draw, make } from "./dom.js";
import { sign } from "./icons.js";
import { marginText, scoreText } from "./rulings.js";

const SHOWN_MS = 9000;
const WORDS = { live: "Live", waiting: "Waiting", "take back": "Take back", race: "Race", blind: "Blind", paused: "Paused", ended: "Ended" };
let last = null;
let match = null;

const connection = new Connection({ role: "audience" });
connection.addEventListener("board", (event) => show(event.detail));

function show(board) {
  if (board.head.stage !== "match") return;
  byId("bar").replaceChildren(
    ...(board.players ?? []).map((player) =>
      make("div", {}, make("span", { class: `chip seat-${player.seat}` }, player.seat), player.name, player.score === undefined ? null : make("span", { class: "score" }, String(player.score)))),
    make("div", { class: "where", "data-word": board.status.word }, `${board.head.game_title} · ${WORDS[board.status.word] ?? ""}`),
  );
  announce(board);
}

/** Show each loud ruling that comes while the overlay is open, once. */
function announce(board) {
  const rulings = board.rulings ?? [];
  const newest = rulings.at(-1)?.id ?? 0;
  if (match !== board.head.match || newest < last) last = newest;
  match = board.head.match;
  for (const ruling of rulings.filter((one) => one.id > last && one.loud)) add(ruling);
  last = newest;
}

function add(ruling) {
  const text = [ruling.text, scoreText(ruling), marginText(ruling)].filter(Boolean).join(" · ");
  const call = make("article", { class: `call ${ruling.tone}` }, sign(ruling.tone), make("div", {}, make("h2", {}, ruling.head), make("p", {}, text)));
  if (ruling.tone === "race" && ruling.margin_ms !== undefined) call.append(lanes(ruling));
  byId("calls").prepend(call);
  while (byId("calls").children.length > 2) byId("calls").lastElementChild.remove();
  setTimeout(() => call.remove(), SHOWN_MS);
}

/** The two times of a race on one axis, each with its uncertainty. */
function lanes(ruling) {
  const half = (ruling.interval_ms ?? 0) / 2;
  const from = -half - 5;
  const wide = ruling.margin_ms + 2 * half + 10;
  const x = (ms) => 40 + ((ms - from) / wide) * 520;
  const lane = (y, at, name) => [
    draw("line", { x1: 40, x2: 560, y1: y, y2: y }),
    draw("rect", { x: x(at - half), y: y - 8, width: x(at + half) - x(at - half), height: 16, rx: 8, class: "span" }),
    draw("circle", { cx: x(at), cy: y, r: 6, class: "dot" }),
    draw("text", { x: 4, y: y + 5 }, name),
  ];
  const tie = ruling.winner === undefined || ruling.winner === "tie";
  return draw(
    "svg", { class: "lanes", viewBox: "0 0 600 84", role: "img", "aria-label": marginText(ruling) },
    ...lane(20, 0, tie ? "one" : ruling.winner), ...lane(60, ruling.margin_ms, "next"),
    draw("text", { x: (x(0) + x(ruling.margin_ms)) / 2, y: 46, class: "margin" }, `${ruling.margin_ms.toFixed(1)} ms`),
  );
}
