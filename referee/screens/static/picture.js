// The camera's picture with what is known of it drawn in: zones, cards as read, what is owed, hands.

import { CARD_H_MM, CARD_W_MM, cardText } from "./cards.js";
import { make, draw } from "./dom.js";
import { arrowTip } from "./table.js";
import { icon } from "./icons.js";

// The drawing's units: thousandths of the picture's width; its height goes with the picture's form.
const WIDE = 1000;

export class Picture {
  constructor(figure, table) {
    this.figure = figure;
    this.table = table;
    this.image = figure.querySelector("img");
    this.marks = figure.querySelector("svg");
    this.layers = Object.fromEntries(["zones", "reads", "owed", "hands"].map((name) => [name, draw("g", { class: name })]));
    this.marks.append(draw("defs", {}, arrowTip("picture-tip")), ...Object.values(this.layers));
    this.on = false;
    this.shown = {};
  }

  button() {
    const button = make("button", { class: "tool", "aria-label": "Camera picture", "aria-pressed": "false", title: "Camera picture or drawn table", hidden: true }, icon("camera"));
    button.addEventListener("click", () => this.toggle());
    this.toggler = button;
    return button;
  }

  toggle() {
    this.on = !this.on;
    this.toggler.setAttribute("aria-pressed", String(this.on));
    this.figure.hidden = !this.on;
    this.table.classList.toggle("away", this.on);
    // The stream is only asked for while it is looked at.
    if (this.on) this.image.src = "/picture.mjpeg";
    else this.image.removeAttribute("src");
    this.shown = {};
    if (this.board) this.show(this.board);
  }

  show(board) {
    const seen = board.seen;
    this.board = board;
    this.toggler.hidden = !seen?.picture_n;
    if (!this.on || !seen) return;
    this.fit();
    this.part("reads", [seen.reads], () => seen.reads.map((read) => this.read(read)));
    if (!board.camera || !board.plan) return;
    this.part("zones", [board.camera, board.plan], () => Object.values(board.plan.zones).map((zone) => this.zone(zone)));
    this.part("owed", [board.camera, board.owed], () => (board.owed ?? []).flatMap((debt) => this.owed(debt)));
    this.part("hands", [board.camera, seen.hands], () => seen.hands.map((hand) => this.hand(hand)));
  }

  /** Draw a layer anew where one of the values that it shows is another one. */
  part(name, values, marks) {
    const old = this.shown[name];
    if (old && old.every((value, i) => value === values[i])) return;
    this.shown[name] = values;
    this.layers[name].replaceChildren(...marks());
  }

  /** Lay the drawing over the picture as large as it is shown. */
  fit() {
    const { naturalWidth, naturalHeight } = this.image;
    const high = naturalWidth ? (WIDE * naturalHeight) / naturalWidth : (WIDE * 9) / 16;
    if (high === this.high) return;
    this.high = high;
    this.marks.setAttribute("viewBox", `0 0 ${WIDE} ${high}`);
    this.shown = {};
  }

  /** Where a place on the table is in the drawing. */
  at(x_mm, y_mm) {
    const [a, b, c, d, e, f, g, h, i] = this.board.camera.to_picture;
    const w = g * x_mm + h * y_mm + i;
    return [(WIDE * (a * x_mm + b * y_mm + c)) / w, (this.high * (d * x_mm + e * y_mm + f)) / w];
  }

  /** A rectangle on the table, turned by an angle clockwise as seen from above. */
  outline(x_mm, y_mm, w_mm, h_mm, angle_deg) {
    const turn = (-angle_deg * Math.PI) / 180;
    const corners = [[-1, 1], [1, 1], [1, -1], [-1, -1]].map(([i, j]) => {
      const [x, y] = [(i * w_mm) / 2, (j * h_mm) / 2];
      return this.at(x_mm + x * Math.cos(turn) - y * Math.sin(turn), y_mm + x * Math.sin(turn) + y * Math.cos(turn));
    });
    return corners.map((corner) => corner.map((value) => value.toFixed(1)).join()).join(" ");
  }

  zone(zone) {
    return draw("polygon", { points: this.outline(zone.x_mm, zone.y_mm, zone.w_mm, zone.h_mm, zone.angle_deg) });
  }

  read(read) {
    const points = read.corners.map(([x, y]) => [x * WIDE, y * this.high]);
    const kind = { "??": "unread", BACK: "back" }[read.label] ?? "read";
    const [x, y] = [0, 1].map((i) => Math.min(...points.map((point) => point[i])));
    const text = read.label === "BACK" ? null : draw("text", { x, y: y - 4 }, cardText(read.label));
    return draw("g", { class: `mark ${kind}` }, draw("polygon", { points: points.map((point) => point.join()).join(" ") }), text);
  }

  owed(debt) {
    const zones = this.board.plan.zones;
    const [from, to] = [zones[debt.at], zones[debt.back_to]];
    if (!from) return [];
    const places = debt.places.map((i) => [from.first_x_mm + from.step_x_mm * i, from.first_y_mm + from.step_y_mm * i]);
    const frames = places.map(([x, y]) => draw("polygon", { class: "frame", points: this.outline(x, y, CARD_W_MM, CARD_H_MM, from.angle_deg) }));
    if (!to || !places.length) return frames;
    const [[x0, y0], [x1, y1]] = [this.at(...places.at(-1)), this.at(to.x_mm, to.y_mm)];
    return [...frames, draw("path", { class: "under", d: `M${x0} ${y0}L${x1} ${y1}` }), draw("path", { d: `M${x0} ${y0}L${x1} ${y1}`, "marker-end": "url(#picture-tip)" })];
  }

  hand(hand) {
    const [[x, y], [x0, y0]] = [this.at(hand.x_mm, hand.y_mm), this.at(hand.root_x_mm, hand.root_y_mm)];
    const name = (hand.seat ?? "") + (hand.hand ?? "");
    return draw(
      "g", { class: `hand seat-${hand.seat ?? "none"}` },
      draw("line", { x1: x0, y1: y0, x2: x, y2: y }),
      draw("circle", { cx: x, cy: y, r: 14 }),
      draw("text", { x, y: y + 5 }, name),
    );
  }
}
