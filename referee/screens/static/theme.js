// Dark and light: as the system wants it, or as was chosen here.

import { make } from "./dom.js";
import { icon } from "./icons.js";

const KEY = "theme";

export function setUpTheme() {
  const chosen = localStorage.getItem(KEY);
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function themeButton() {
  const button = make("button", { class: "tool", "aria-label": "Dark or light", title: "Dark or light" }, icon("theme"));
  button.addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem(KEY, next);
  });
  return button;
}
