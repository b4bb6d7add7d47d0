// The page for correcting reads: the picture with what was read, and a name for each by two taps.

import { cardText, cardWords } from "./cards.js";
import { Connection } from "./connection.js";
import { byId, draw, make, toast } from "./dom.js";
import { themeButton } from "./theme.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];
const OTHER = [["JOKER", "joker"], ["BACK", "face down"], ["?", "cannot be told"], ["-", "no card"]];

/** A name as people write it. */
function shown(name) {
  return OTHER.find(([word]) => word === name)?.[1] ?? cardText(name);
}

/** A name in words, for screen readers. */
function spoken(name) {
  return OTHER.find(([word]) => word === name)?.[1] ?? cardWords(name);
}

/** Every name that a thing can have; resolves to one, null when nothing was chosen. */
function askName(title, others = OTHER) {
  return new Promise((resolve) => {
    const dialog = make("dialog", { "aria-label": title, class: "cards-dialog" });
    let chosen = null;
    const choose = (name) => {
      const red = /^[A2-9TJQK][DH]$/.test(name) ? "red" : "black";
      const press = () => { chosen = name; dialog.close(); };
      return make("button", { type: "button", class: `face ${red}`, "aria-label": spoken(name), onclick: press }, shown(name));
    };
    const numbers = Array.from({ length: 18 }, (_, i) => choose(String(i + 1)));
    dialog.append(
      make("h2", {}, title),
      ...SUITS.map((suit) => make("div", { class: "faces" }, ...RANKS.map((rank) => choose(rank + suit)))),
      make("details", {}, make("summary", {}, "A number card"), make("div", { class: "faces numbers" }, ...numbers)),
      make("div", { class: "faces short" }, ...others.map(([name]) => choose(name))),
      make("div", { class: "row end" }, make("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

class TeachPage {
  constructor() {
    this.connection = new Connection({ role: "operator" });
    this.connection.addEventListener("office", (event) => this.office(event.detail));
    this.connection.addEventListener("link", (event) => (byId("link").hidden = event.detail));
    this.connection.addEventListener("heard", (event) => event.detail.result === "lost" && toast("Not heard", "bad"));
    this.connection.addEventListener("refused", (event) => (byId("problem").textContent = event.detail));
    for (const what of ["keep", "skip", "end"]) byId(what).addEventListener("click", () => this.order(what));
    byId("missed").addEventListener("click", () => this.tapping(!this.isTapping));
    byId("frame").addEventListener("click", (event) => this.tap(event));
    addEventListener("keydown", (event) => event.key === "Escape" && this.tapping(false));
    byId("tools").append(themeButton());
  }

  order(what, ...words) {
    this.connection.say({ type: "order", do: what, words });
  }

  office(office) {
    const lesson = office.lesson;
    if (!lesson) return;
    const other = lesson.number !== this.lesson?.number;
    this.lesson = lesson;
    const open = lesson.picture !== "";
    byId("h-reads").textContent = open ? lesson.picture : "That was the last picture";
    byId("hint").textContent = open ? "Tap what is wrong, in the picture or in the list." : "All pictures have been looked at.";
    for (const id of ["keep", "skip", "missed", "frame"]) byId(id).hidden = !open;
    byId("problem").textContent = lesson.problem ?? "";
    const pictures = lesson.kept === 1 ? "1 picture" : `${lesson.kept} pictures`;
    byId("kept").textContent = `${pictures} kept in ${lesson.folder}, on this machine only.`;
    if (open && other) {
      this.tapping(false);
      byId("image").alt = lesson.picture;
      byId("image").src = `/picture.jpg?n=${lesson.number}`;
      byId("marks").setAttribute("viewBox", `0 0 ${lesson.width_px} ${lesson.height_px}`);
    }
    this.drawThings(lesson);
  }

  drawThings(lesson) {
    const kind = (name) => ({ "?": "unknown", "-": "gone" })[name] ?? "named";
    const letters = Math.max(12, lesson.width_px / 75);
    const area = ({ box_px: [x0, y0, x1, y1] }) => (x1 - x0) * (y1 - y0);
    // The smallest lie on top, so that each can be tapped.
    const order = [...lesson.things.keys()].sort((a, b) => area(lesson.things[b]) - area(lesson.things[a]));
    byId("marks").replaceChildren(
      ...order.map((i) => {
        const thing = lesson.things[i];
        const [x0, y0, x1, y1] = thing.box_px;
        const box = draw("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, onclick: () => this.correct(i) });
        const text = thing.name === "-" ? "" : shown(thing.name).replace("cannot be told", "?").replace("face down", "back");
        return draw("g", { class: kind(thing.name), "data-read": i + 1 }, box, draw("text", { x: x0, y: y0 - letters / 4, "font-size": letters }, text));
      }),
    );
    const focused = [...byId("things").querySelectorAll("button")].indexOf(document.activeElement);
    byId("things").replaceChildren(
      ...lesson.things.map((thing, i) => {
        const label = `read ${i + 1}: ${spoken(thing.name)}; correct it`;
        const button = make("button", { type: "button", "aria-label": label, onclick: () => this.correct(i) }, make("small", {}, String(i + 1)), make("b", {}, shown(thing.name)));
        return make("li", { class: kind(thing.name) }, button);
      }),
    );
    byId("things").querySelectorAll("button")[focused]?.focus();
  }

  async correct(i) {
    if (this.isTapping) return;
    const name = await askName(`Read ${i + 1} is …`);
    if (name !== null) this.order("mark", String(i + 1), name);
  }

  tapping(on) {
    this.isTapping = on;
    byId("asked").hidden = !on;
    byId("frame").classList.toggle("tapping", on);
  }

  async tap(event) {
    if (!this.isTapping) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(byId("marks").getScreenCTM().inverse());
    this.tapping(false);
    const name = await askName("The missed card is …", OTHER.slice(0, 2));
    if (name !== null) this.order("missed", name, x.toFixed(1), y.toFixed(1));
  }
}

window.page = new TeachPage();
