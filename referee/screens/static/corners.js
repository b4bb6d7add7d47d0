// The table in the camera's picture: its spots where it was found, and its corners tapped by hand.

import { draw, make } from "./dom.js";

// The drawing's units: thousandths of the picture's width; its height goes with the picture's form.
const WIDE = 1000;
const CORNERS = 4;
const ASKED = [
  "Tap the table's corner at player A's left hand.",
  "Tap the next corner, going round the table.",
  "Tap the third corner.",
  "Tap the last corner.",
];

export class Corners {
  /** `view` holds the picture; `told` is called when the corners are others. */
  constructor(view, told) {
    this.view = view;
    this.told = told;
    this.at = [];
    this.spots = [];
    this.tapping = false;
    addEventListener("keydown", (event) => event.key === "Escape" && this.end());
  }

  /** What the picture's place holds: the picture, the drawing over it, and what to tap. */
  draw(image) {
    this.image = image;
    this.marks = draw("svg", { class: "marks", "aria-hidden": "true" });
    this.asked = make("p", { class: "asked", role: "status", hidden: true });
    this.marks.addEventListener("click", (event) => this.tap(event));
    image.addEventListener("load", () => this.mark());
    this.mark();
    return [image, this.marks, this.asked];
  }

  show(spots) {
    this.spots = spots;
    this.mark();
  }

  button() {
    const button = make("button", { type: "button" }, this.at.length ? "Tap the corners anew" : "Tap the 4 corners");
    button.addEventListener("click", () => this.begin());
    return button;
  }

  /** The corners as the referee is told them, after how wide the picture was when they were tapped. */
  words() {
    if (this.at.length < CORNERS) return [];
    return [String(Math.round(this.shown ?? 0)), ...this.at.map((corner) => corner.map((share) => share.toFixed(4).replace("1.0000", "1")).join())];
  }

  begin() {
    if (!this.image) return;
    this.before = this.at;
    this.at = [];
    this.tapping = true;
    this.view.classList.add("tapping");
    this.ask();
  }

  end() {
    if (!this.tapping) return;
    if (this.at.length < CORNERS) this.at = this.before;
    this.tapping = false;
    this.view.classList.remove("tapping");
    this.ask();
  }

  ask() {
    this.asked.hidden = !this.tapping;
    this.asked.textContent = `${ASKED[this.at.length] ?? ""} Esc ends.`;
    this.mark();
  }

  tap(event) {
    if (!this.tapping) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.marks.getScreenCTM().inverse());
    const share = (value, whole) => Math.min(Math.max(value / whole, 0), 1);
    this.at.push([share(at.x, WIDE), share(at.y, this.high)]);
    this.shown = WIDE * this.marks.getScreenCTM().a;
    if (this.at.length < CORNERS) {
      this.ask();
      return;
    }
    this.end();
    this.told();
  }

  /** Draw the spots where the table was found, and the corners tapped so far. */
  mark() {
    if (!this.marks) return;
    const { naturalWidth, naturalHeight } = this.image;
    this.high = naturalWidth ? (WIDE * naturalHeight) / naturalWidth : (WIDE * 9) / 16;
    this.marks.setAttribute("viewBox", `0 0 ${WIDE} ${this.high}`);
    const points = (corners) => corners.map(([x, y]) => `${(x * WIDE).toFixed(1)},${(y * this.high).toFixed(1)}`).join(" ");
    const spots = this.tapping ? [] : this.spots.map((spot) => draw("polygon", { points: points(spot.corners) }));
    const tapped = this.tapping ? this.at.map(([x, y]) => draw("circle", { cx: x * WIDE, cy: y * this.high, r: 8 })) : [];
    this.marks.replaceChildren(...spots, ...tapped);
  }
}
