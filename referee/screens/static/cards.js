// Cards, drawn: 63 x 88 mm faces and backs as SVG, each face made once and used again.

import { draw } from "./dom.js";

export const CARD_W_MM = 63;
export const CARD_H_MM = 88;

// 20 x 20, about the middle.
const SUITS = {
  H: "M0 8.6C-8.4 2.6-9.6-1.2-9.2-4.1-8.7-7.4-6-8.8-3.8-8.3-1.8-7.9-.6-6.4 0-4.9.6-6.4 1.8-7.9 3.8-8.3 6-8.8 8.7-7.4 9.2-4.1 9.6-1.2 8.4 2.6 0 8.6z",
  D: "M0-9.6C2.3-5.8 4.7-2.6 7.6 0 4.7 2.6 2.3 5.8 0 9.6-2.3 5.8-4.7 2.6-7.6 0-4.7-2.6-2.3-5.8 0-9.6z",
  S: "M0-9.2C1.6-5.6 8.9-2 8.9 3.1 8.9 6.3 6.5 7.6 4.6 7.5 2.9 7.4 1.5 6.5.8 5.2.9 7.2 1.7 8.6 3.4 9.5H-3.4C-1.7 8.6-.9 7.2-.8 5.2-1.5 6.5-2.9 7.4-4.6 7.5-6.5 7.6-8.9 6.3-8.9 3.1-8.9-2-1.6-5.6 0-9.2z",
  C: "M0-9.4a4.3 4.3 0 0 1 3.3 7.1A4.4 4.4 0 1 1 .9 3.6C1 6.6 1.7 8.5 3.6 9.5H-3.6C-1.7 8.5-1 6.6-.9 3.6A4.4 4.4 0 1 1-3.3-2.3 4.3 4.3 0 0 1 0-9.4z",
};
const STAR = "M0-10 2.6-3.4 9.6-3 4.1 1.4 6 8.2 0 4.4-6 8.2-4.1 1.4-9.6-3-2.6-3.4z";
const RANKS = { A: "ace", J: "jack", Q: "queen", K: "king", T: "ten" };
const NUMBERS = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const SUIT_WORDS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

/** What a card word says: `[A:??]` is the back of a card of A's deck. */
export function parse(word) {
  const down = word.startsWith("[");
  const bare = down ? word.slice(1, -1) : word;
  const colon = bare.indexOf(":");
  return {
    down,
    deck: colon > 0 ? bare.slice(0, colon) : null,
    face: colon > 0 ? bare.slice(colon + 1) : bare,
  };
}

/** A card in words, for screen readers and for calling it out. */
export function cardWords(word) {
  const { down, deck, face } = parse(word);
  const whose = deck ? `, deck ${deck}` : "";
  if (down) return `a card face down${whose}`;
  if (face === "??") return `a card not read${whose}`;
  if (face[0] === "X" || face === "JOKER") return `a joker${whose}`;
  if (/^\d+$/.test(face)) return `the ${face}`;
  const rank = RANKS[face[0]] ?? NUMBERS[Number(face[0])];
  return `the ${rank} of ${SUIT_WORDS[face[1]]}${whose}`;
}

/** A card as it is written for people: 10♥. */
export function cardText(word) {
  const { face } = parse(word);
  const sign = { C: "♣", D: "♦", H: "♥", S: "♠" }[face[1]];
  return sign && face.length === 2 ? face[0].replace("T", "10") + sign : face.replace("X", "joker ");
}

function faceSymbol(face) {
  const plate = draw("rect", { x: 0.5, y: 0.5, width: 62, height: 87, rx: 5, class: "plate" });
  const parts = [plate];
  if (face === "??") {
    parts.push(draw("rect", { x: 4, y: 4, width: 55, height: 80, rx: 3, class: "unread" }));
    parts.push(draw("text", { x: 31.5, y: 58, class: "large" }, "?"));
  } else if (/^\d+$/.test(face)) {
    parts.push(draw("text", { x: 31.5, y: 60, class: "large number" }, face));
    parts.push(draw("rect", { x: 20, y: 64, width: 23, height: 2.4, class: "bar" }));
    parts.push(...corners(face, "number", null));
  } else if (face[0] === "X" || face === "JOKER") {
    parts.push(draw("path", { d: STAR, transform: "translate(31.5 50) scale(2)", class: "joker" }));
    parts.push(...corners("★", "joker", null));
  } else {
    const colour = "DH".includes(face[1]) ? "red" : "black";
    const rank = face[0] === "T" ? "10" : face[0];
    const big = { d: SUITS[face[1]], transform: "translate(31.5 46) scale(1.7)", class: colour };
    parts.push(draw("path", big), ...corners(rank, colour, face[1]));
  }
  return draw("symbol", { id: `card-${face}`, viewBox: "0 0 63 88", overflow: "visible" }, ...parts);
}

function corners(rank, colour, suit) {
  const corner = () => {
    const text = draw("text", { x: 5, y: 20, class: `index ${colour}` }, rank);
    if (suit === null) return [text];
    const x = rank === "10" ? 37 : 29;
    const place = { d: SUITS[suit], transform: `translate(${x} 13) scale(0.72)`, class: colour };
    return [text, draw("path", place)];
  };
  return [
    draw("g", {}, ...corner()),
    draw("g", { transform: "rotate(180 31.5 44)" }, ...corner()),
  ];
}

/**
 * A card as an SVG group about its middle, its top towards -y. `defs` keeps the faces. `turned`:
 * the card stands on its head for who looks on, so that its middle is drawn the other way.
 */
export function drawCard(defs, word, turned = false) {
  const upright = turned ? "rotate(180)" : undefined;
  const { down, deck, face } = parse(word);
  const group = draw("g", { class: `card${down ? " down" : ""}` });
  const seat = deck ?? "none";
  if (down) {
    group.append(
      draw("rect", { x: -31, y: -43.5, width: 62, height: 87, rx: 5, class: "plate" }),
      draw("rect", { x: -27.5, y: -40, width: 55, height: 80, rx: 3, class: `back deck-${seat}` }),
      draw("rect", { x: -27.5, y: -40, width: 55, height: 80, rx: 3, fill: "url(#lattice)" }),
    );
    if (deck) group.append(draw("text", { x: 0, y: 8, class: "back-letter", transform: upright }, deck));
    return group;
  }
  if (!defs.querySelector(`[id="card-${face}"]`)) defs.append(faceSymbol(face));
  const place = { x: -31.5, y: -44, width: 63, height: 88, href: `#card-${face}`, transform: upright };
  group.append(draw("use", place));
  if (deck) group.append(draw("rect", { x: -25, y: 39, width: 50, height: 2.6, rx: 1.3, class: `deck deck-${deck}` }));
  return group;
}
