// The camera's picture with what was read in it, in place of the drawn table when it is wanted.

import { make, draw } from "./dom.js";
import { icon } from "./icons.js";
import { cardText } from "./cards.js";

export class Picture {
  constructor(figure, table) {
    this.figure = figure;
    this.table = table;
    this.image = figure.querySelector("img");
    this.marks = figure.querySelector("svg");
    this.on = false;
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
  }

  show(seen) {
    this.toggler.hidden = !seen?.picture_n;
    if (!this.on || seen === this.seen) return;
    this.seen = seen;
    this.marks.setAttribute("viewBox", "0 0 1000 1000");
    this.marks.setAttribute("preserveAspectRatio", "none");
    this.marks.replaceChildren(...seen.reads.map(readMark));
  }
}

function readMark(read) {
  const points = read.corners.map(([x, y]) => `${x * 1000},${y * 1000}`).join(" ");
  const kind = { "??": "unread", BACK: "back" }[read.label] ?? "read";
  const [x, y] = read.corners[0];
  return draw(
    "g", { class: `mark ${kind}` },
    draw("polygon", { points }),
    draw("text", { x: x * 1000, y: y * 1000 - 6 }, read.label === "BACK" ? "" : cardText(read.label)),
  );
}
