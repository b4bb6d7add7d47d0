// Icons: every kind of ruling has a shape of its own, so that colour is never needed to tell it.

import { draw } from "./dom.js";

// 24 x 24. `shape` is filled, `sign` is drawn on it.
const SHAPES = {
  fault: "M8 1.5h8L22.5 8v8L16 22.5H8L1.5 16V8z",
  "take back": "M12 1.6 23 21.4H1z",
  race: "M2 4h13l7 8-7 8H2l5-8z",
  score: "M3 3h18v18H3z",
  end: "M12 1.2l3.2 6.9 7.5.9-5.6 5.1 1.5 7.5L12 17.9l-6.6 3.7 1.5-7.5L1.3 9l7.5-.9z",
  query: "M12 .8 23.2 12 12 23.2.8 12z",
  unseen: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  info: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  cured: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  withdrawn: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  live: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  waiting: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  paused: "M3 3h18v18H3z",
  blind: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  ended: "M3 3h18v18H3z",
};
const SIGNS = {
  fault: "M12 6v7.5M12 17.2v.3",
  "take back": "M15.5 17.5v-2a3 3 0 0 0-3-3H9m2.6-2.6L9 12.5l2.6 2.6",
  race: "M10.5 8.5 14 12l-3.5 3.5M14.5 8.5 18 12l-3.5 3.5",
  score: "M7.5 8v8M11 8v8M14.5 8v8M5.8 15 17.5 9",
  end: "M9 12.2l2.1 2.1 4-4.3",
  query: "M9.6 9.6a2.5 2.5 0 1 1 3.4 2.3c-.7.3-1 .8-1 1.6M12 16.7v.2",
  unseen: "M5.8 12s2.3-4 6.2-4 6.2 4 6.2 4-2.3 4-6.2 4-6.2-4-6.2-4zM6.5 17.5l11-11",
  info: "M12 11v5.5M12 7.4v.2",
  cured: "M7.5 12.3l3 3 6-6.4",
  withdrawn: "M8 8l8 8M16 8l-8 8",
  live: "M10 8.2v7.6l6-3.8z",
  waiting: "M12 7v5.2l3.3 2",
  paused: "M9.5 8v8M14.5 8v8",
  blind: "M5.8 12s2.3-4 6.2-4 6.2 4 6.2 4-2.3 4-6.2 4-6.2-4-6.2-4zM6.5 17.5l11-11",
  ended: "M8 8h8v8H8z",
};
const PLAIN = {
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15 9a4 4 0 0 1 0 6M17.3 6.5a7.5 7.5 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9.5l5 5M20.5 9.5l-5 5",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  theme: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  phone: "M7.5 2.5h9v19h-9zM11 18.8h2",
  help: "M9.4 9.2a2.7 2.7 0 1 1 3.7 2.5c-.8.3-1.1.9-1.1 1.8M12 17v.2",
  whistle: "M9.5 9.5H21v3.2h-5.2a5.6 5.6 0 1 1-6.3-3.2zM10 15.2a.3.3 0 1 1 .1 0M12 3v3M8 4l1 2.6M16 4l-1 2.6",
  table: "M3 6h18v12H3zM7.5 9h3v5h-3zM13.5 10h3v5h-3z",
  close: "M6 6l12 12M18 6 6 18",
  camera: "M3.5 7.5h4l1.5-2.5h6l1.5 2.5h4v12h-17zM12 9.8a3.4 3.4 0 1 1 0 6.8 3.4 3.4 0 0 1 0-6.8z",
  back: "M14.5 5.5 8 12l6.5 6.5",
};

/** An icon of a kind of ruling or a state word. */
export function sign(kind) {
  const shape = SHAPES[kind] ?? SHAPES.info;
  return draw(
    "svg",
    { viewBox: "0 0 24 24", class: `sign ${kind.replace(" ", "-")}`, "aria-hidden": "true" },
    draw("path", { d: shape, class: "shape" }),
    draw("path", { d: SIGNS[kind] ?? SIGNS.info, class: "mark" }),
  );
}

/** A plain line icon of a button. */
export function icon(name) {
  return draw(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    draw("path", { d: PLAIN[name] }),
  );
}
