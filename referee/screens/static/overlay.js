// The overlay for streams: scores, players, the last ruling, and a race again with its margin.

import { Connection } from "./connection.js";
import { byId, draw, make } from "./dom.js";
import { sign } from "./icons.js";
import { namesOf, wholeText } from "./rulings.js";

const SHOWN_MS = 9000;
const REPLAY_MS = 2500;
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
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
  for (const ruling of rulings.filter((one) => one.id > last && one.loud)) add(ruling, namesOf(board));
  last = newest;
}

function add(ruling, names) {
  const call = make("article", { class: `call ${ruling.tone}` }, sign(ruling.tone), make("div", {}, make("h2", {}, ruling.head), make("p", {}, wholeText(ruling, names))));
  if (ruling.tone === "race" && ruling.margin_ms !== undefined) call.append(lanes(ruling, names));
  byId("calls").prepend(call);
  while (byId("calls").children.length > 2) byId("calls").lastElementChild.remove();
  setTimeout(() => call.remove(), SHOWN_MS);
}

/** A race again, slowly: both times run in on one axis, each with its uncertainty. */
function lanes(ruling, names) {
  const half = (ruling.interval_ms ?? 0) / 2;
  const from = -half - 5;
  const wide = ruling.margin_ms + 2 * half + 10;
  const x = (ms) => 130 + ((ms - from) / wide) * 450;
  const run = (mark, at) => {
    const steps = [{ transform: `translateX(${x(from) - x(at)}px)` }, { transform: "none" }];
    if (!CALM.matches) mark.animate(steps, { duration: (REPLAY_MS * (at - from)) / wide });
    return mark;
  };
  const lane = (y, at, name) => [
    draw("line", { x1: 130, x2: 580, y1: y, y2: y }),
    draw("rect", { x: x(at - half), y: y - 8, width: x(at + half) - x(at - half), height: 16, rx: 8, class: "span" }),
    run(draw("circle", { cx: x(at), cy: y, r: 7, class: "dot" }), at),
    draw("text", { x: 4, y: y + 5 }, name.slice(0, 14)),
  ];
  const won = ruling.winner && ruling.winner !== "tie" ? ruling.winner : null;
  const others = Object.keys(names).filter((seat) => seat !== won);
  const lost = ruling.seats.find((seat) => seat !== won) ?? (others.length === 1 ? others[0] : null);
  const [first, next] = won ? [names[won] ?? won, names[lost] ?? "next"] : ["one", "the other"];
  return draw(
    "svg", { class: "lanes", viewBox: "0 0 600 84", role: "img", "aria-label": `${first} before ${next} by ${ruling.margin_ms.toFixed(1)} ms` },
    ...lane(20, 0, first), ...lane(60, ruling.margin_ms, next),
    draw("text", { x: (x(0) + x(ruling.margin_ms)) / 2, y: 46, class: "margin" }, `${ruling.margin_ms.toFixed(1)} ms`),
  );
}
