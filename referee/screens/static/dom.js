// Small words for making elements.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Say something to a screen reader without showing it. */
export function whisper(text) {
  const place = byId("whisper");
  if (place) place.textContent = text;
}

/** Show a short message at the bottom for a few seconds. */
export function toast(text, kind = "plain") {
  const place = byId("toasts");
  if (!place) return;
  const note = make("div", { class: `toast ${kind}`, role: "status" }, text);
  place.append(note);
  setTimeout(() => note.remove(), 3500);
}
