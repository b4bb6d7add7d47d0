// The table from above: zones, cards, hands and what is owed, turned to the viewer's seat.

import { CARD_H_MM, CARD_W_MM, cardText, cardWords, drawCard } from "./cards.js";
import { draw } from "./dom.js";

const TURNS = { south: 0, north: 180, west: -90, east: 90 };
const EDGE_MM = 8;
// Palms and piles before the start; later their room is given to the cards.
const OF_THE_START = /^[A-L]\.(side\.[LR]|pile)$/;
const NAMES = {
  rest: "rest", play: "play", deck: "deck", cut: "cut", mid: "middle", open: "open", talon: "talon",
  unused: "unused", stack: "closed", waste: "waste", stock: "stock", aside: "aside", nerts: "pile",
};

/** The rectangle about zones: its middle and size on the table. */
function around(zones) {
  const sides = zones.map((zone) => {
    const across = zone.angle_deg % 180 !== 0;
    const [w, h] = across ? [zone.h_mm, zone.w_mm] : [zone.w_mm, zone.h_mm];
    return [zone.x_mm - w / 2, zone.x_mm + w / 2, zone.y_mm - h / 2, zone.y_mm + h / 2];
  });
  const [x0, x1] = [Math.min(...sides.map((s) => s[0])), Math.max(...sides.map((s) => s[1]))];
  const [y0, y1] = [Math.min(...sides.map((s) => s[2])), Math.max(...sides.map((s) => s[3]))];
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, w: x1 - x0, h: y1 - y0 };
}

function zoneLabel(name) {
  const parts = name.split(".").filter((part) => !/^\d+$/.test(part) && !/^[A-L]$/.test(part));
  return NAMES[parts[0]] ?? "";
}

export class TableView {
  constructor(svg) {
    this.svg = svg;
    this.defs = draw("defs", {}, ...patterns());
    this.zonesLayer = draw("g", { class: "zones" });
    this.cardsLayer = draw("g", { class: "cards" });
    this.owedLayer = draw("g", { class: "owed" });
    this.handsLayer = draw("g", { class: "hands" });
    this.world = draw(
      "g", {}, this.zonesLayer, this.cardsLayer, this.owedLayer, this.handsLayer,
    );
    svg.append(this.defs, this.world);
    this.piles = new Map();
    this.labels = new Map();
    this.edge = "south";
    this.onPile = null;
  }

  /** Show a board; only what changed is drawn again. */
  show(board, edge) {
    if (!board.plan) return;
    const begun = board.status.word !== "waiting" || Boolean(this.begun);
    const turned = edge !== this.edge || begun !== this.begun;
    this.edge = edge;
    this.begun = begun;
    if (board.plan !== this.plan || turned) this.lay(board);
    this.showCards(board.cards ?? {}, board.owed ?? []);
    this.showOwed(board.owed ?? [], board.cards ?? {});
    this.showBlind(board.blind ?? []);
    this.showHands(board.seen?.hands ?? []);
    this.svg.setAttribute("aria-label", describe(board));
  }

  lay(board) {
    const plan = (this.plan = board.plan);
    this.turn = TURNS[this.edge] ?? 0;
    const zones = Object.entries(plan.zones).filter(([name]) => !(this.begun && OF_THE_START.test(name)));
    const frame = around(zones.map(([, zone]) => zone));
    const sideways = Math.abs(this.turn) === 90;
    const [w, h] = sideways ? [frame.h, frame.w] : [frame.w, frame.h];
    this.svg.setAttribute("viewBox", `${-w / 2 - EDGE_MM} ${-h / 2 - EDGE_MM} ${w + 2 * EDGE_MM} ${h + 2 * EDGE_MM}`);
    const back = `translate(${-frame.x} ${-(plan.h_mm - frame.y)})`;
    this.world.setAttribute("transform", `rotate(${this.turn}) ${back}`);
    this.zonesLayer.replaceChildren(...zones.map(([name, zone]) => this.zone(name, zone)));
    this.cardsLayer.replaceChildren();
    this.piles.clear();
  }

  at(x_mm, y_mm) {
    return [x_mm, this.plan.h_mm - y_mm];
  }

  /** Where the card with this number from the bottom lies. */
  place(zone, index) {
    return this.at(zone.first_x_mm + zone.step_x_mm * index, zone.first_y_mm + zone.step_y_mm * index);
  }

  zone(name, zone) {
    const [x, y] = this.at(zone.x_mm, zone.y_mm);
    const place = { x: -zone.w_mm / 2 + 3, y: -zone.h_mm / 2 + 3, width: zone.w_mm - 6, height: zone.h_mm - 6 };
    const outline = draw("rect", { ...place, rx: zone.hands ? 30 : 6, class: zone.hands ? "zone hands" : "zone" });
    const upright = -this.turn - zone.angle_deg;
    const label = draw("text", { class: "zone-name", transform: `rotate(${upright})`, y: 4 }, zoneLabel(name));
    const turn = `translate(${x} ${y}) rotate(${zone.angle_deg})`;
    this.labels.set(name, label);
    return draw("g", { transform: turn, "data-zone": name }, outline, label);
  }

  showCards(cards, owed) {
    const names = new Set([...this.piles.keys(), ...Object.keys(cards)]);
    for (const name of names) {
      const zone = this.plan.zones[name];
      const words = cards[name] ?? [];
      const marks = owed.filter((debt) => debt.at === name).flatMap((debt) => debt.places);
      const key = marks.join(",");
      const known = this.piles.get(name);
      if (!zone || (known && known.words === words && known.key === key)) continue;
      if (known) known.group.remove();
      this.labels.get(name)?.classList.toggle("covered", words.length > 0);
      const fresh = this.settled && known !== undefined && known.words.length < words.length;
      const group = words.length ? this.pile(name, zone, words, new Set(marks), fresh) : null;
      if (group) this.cardsLayer.append(group);
      if (words.length) this.piles.set(name, { words, key, group });
      else this.piles.set(name, { words, key, group: draw("g") });
    }
    this.settled = true;
  }

  pile(name, zone, words, marks, fresh) {
    const group = draw("g", { class: "pile", "data-zone": name });
    const squared = !zone.step_x_mm && !zone.step_y_mm;
    const crowd = words.length > zone.holds && zone.holds > 1 ? (zone.holds - 1) / (words.length - 1) : 1;
    const from = squared ? Math.max(0, words.length - 4) : 0;
    const turned = (((zone.angle_deg + this.turn) % 360) + 360) % 360 === 180;
    for (let i = from; i < words.length; i++) {
      const lift = squared ? (i - from) * 1.1 : 0;
      const [x, y] = this.at(
        zone.first_x_mm + zone.step_x_mm * i * crowd, zone.first_y_mm + zone.step_y_mm * i * crowd,
      );
      const card = drawCard(this.defs, words[i], turned);
      card.setAttribute("transform", `translate(${x - lift} ${y - lift}) rotate(${zone.angle_deg})`);
      // Of a squared pile only the top is seen: one frame stands for all that is owed.
      if (marks.has(i) && (!squared || i === words.length - 1 || !marks.has(words.length - 1))) card.append(owedFrame());
      if (fresh && i === words.length - 1) card.classList.add("fresh");
      group.append(card);
    }
    if (squared && words.length > 1) group.append(this.count(zone, words.length));
    group.append(draw("title", {}, `${zone.words}: ${words.length} ${words.length === 1 ? "card" : "cards"}, ${cardWords(words.at(-1))} on top`));
    if (this.onPile) group.addEventListener("click", () => this.onPile(name, words));
    return group;
  }

  count(zone, number) {
    const [x, y] = this.at(zone.first_x_mm, zone.first_y_mm);
    // At the viewer's lower right, whichever way the card lies.
    const place = (zone.angle_deg + this.turn) % 180 === 0 ? "24 36" : "36 24";
    const corner = `translate(${x} ${y}) rotate(${-this.turn}) translate(${place})`;
    return draw(
      "g", { transform: corner, class: "count" },
      draw("rect", { x: -12, y: -9, width: 24, height: 18, rx: 9 }),
      draw("text", { y: 5 }, String(number)),
    );
  }

  showOwed(owed, cards) {
    if (owed === this.owed && this.owedTurn === this.turn) return;
    this.owed = owed;
    this.owedTurn = this.turn;
    this.owedLayer.replaceChildren(...owed.map((debt) => this.arrow(debt, cards)).filter(Boolean));
  }

  arrow(debt, cards) {
    const from = this.plan.zones[debt.at];
    const to = this.plan.zones[debt.back_to];
    if (!from || !to) return null;
    const back = cards[debt.back_to]?.length ?? 0;
    const [x0, y0] = this.place(from, debt.places.at(-1) ?? 0);
    const [x1, y1] = to.holds > back ? this.place(to, back) : this.at(to.x_mm, to.y_mm);
    const [mx, my] = [(x0 + x1) / 2 + (y1 - y0) * 0.16, (y0 + y1) / 2 - (x1 - x0) * 0.16];
    const path = `M${x0} ${y0}Q${mx} ${my} ${x1} ${y1}`;
    return draw(
      "g", { class: "way-back" },
      draw("path", { d: path, class: "under" }),
      draw("path", { d: path, "marker-end": "url(#tip)" }),
    );
  }

  showBlind(zones) {
    if (zones === this.blind) return;
    this.blind = zones;
    const all = zones.includes("*");
    for (const zone of this.zonesLayer.children) {
      zone.classList.toggle("blind", all || zones.includes(zone.dataset.zone));
    }
    this.svg.classList.toggle("blind", all);
  }

  showHands(hands) {
    if (hands === this.hands) return;
    this.hands = hands;
    this.handsLayer.replaceChildren(...hands.map((hand) => this.hand(hand)));
  }

  hand(hand) {
    const [x, y] = this.at(hand.x_mm, hand.y_mm);
    const [rx, ry] = this.at(hand.root_x_mm, hand.root_y_mm);
    const whose = hand.seat ?? "none";
    return draw(
      "g", { class: `hand seat-${whose}` },
      draw("line", { x1: rx, y1: ry, x2: x, y2: y }),
      draw("circle", { cx: x, cy: y, r: 24 }),
      draw("text", { transform: `translate(${x} ${y}) rotate(${-this.turn})`, y: 7 }, (hand.seat ?? "") + (hand.hand ?? "")),
    );
  }
}

function owedFrame() {
  return draw("rect", {
    x: -CARD_W_MM / 2 - 2, y: -CARD_H_MM / 2 - 2, width: CARD_W_MM + 4, height: CARD_H_MM + 4, rx: 7, class: "owed-frame",
  });
}

/** The tip of an arrow; each drawing needs its own, as one that is hidden shows none. */
export function arrowTip(id) {
  return draw(
    "marker", { id, viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
    draw("path", { d: "M0 0 10 5 0 10 2.5 5z", class: "tip" }),
  );
}

function patterns() {
  const lattice = draw(
    "pattern", { id: "lattice", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    draw("path", { d: "M0 0H8M0 0V8", class: "lattice" }),
  );
  const hatch = draw(
    "pattern", { id: "hatch", width: 14, height: 14, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    draw("path", { d: "M0 7H14", class: "hatch" }),
  );
  return [lattice, hatch, arrowTip("tip")];
}

function describe(board) {
  const called = (zone) => board.plan.zones[zone]?.words ?? zone;
  const owed = (board.owed ?? []).map((debt) => `${debt.cards.map(cardText).join(" ")} owed from ${called(debt.at)} to ${called(debt.back_to)}`);
  const piles = Object.keys(board.cards ?? {}).length;
  return `The table from above: ${piles} piles. ${owed.join(". ")}`;
}
