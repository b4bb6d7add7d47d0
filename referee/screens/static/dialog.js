// Questions asked in a dialog: a text, a rule, a card, a yes.

import { make } from "./dom.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const SUITS = [["S", "♠", "spades"], ["H", "♥", "hearts"], ["D", "♦", "diamonds"], ["C", "♣", "clubs"]];

/** Show a dialog; resolves to what `collect` gives when it is confirmed, null when it is closed. */
export function ask(title, body, collect, confirm = "OK") {
  return new Promise((resolve) => {
    const form = make("form", { method: "dialog" });
    const yes = make("button", { class: "main", value: "yes" }, confirm);
    // No button of the form: Enter in a field presses the form's first one.
    const no = make("button", { type: "button", onclick: () => dialog.close("no") }, "Cancel");
    form.append(make("h2", {}, title), ...body, make("div", { class: "row end" }, no, yes));
    const dialog = make("dialog", { "aria-label": title }, form);
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes" ? collect(form) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function field(label, input) {
  return make("label", { class: "field" }, make("span", {}, label), input);
}

/** Words as the match's text takes them: no spaces inside a word, no `=`. */
export function wordsOf(text, most) {
  return text.replaceAll("=", " ").split(/\s+/).filter(Boolean).map((word) => word.slice(0, 60)).slice(0, most);
}

export async function askText(title, label, most = 4) {
  const input = make("input", { name: "text", maxlength: 120, autocomplete: "off", autofocus: true });
  const text = await ask(title, [field(label, input)], (form) => form.elements.text.value);
  return text === null ? null : wordsOf(text, most);
}

export async function askNumber(title) {
  const input = make("input", { name: "number", type: "number", min: -9999, max: 9999, step: 1, required: true, inputmode: "numeric", autofocus: true });
  const number = await ask(title, [field("How many?", input)], (form) => form.elements.number.value);
  return number === null ? null : [String(Number(number))];
}

export function ruleSelect(rules, name = "rule") {
  const select = make("select", { name }, make("option", { value: "" }, "I cannot say which"));
  for (const rule of rules) select.append(make("option", { value: rule.id }, `${rule.id}: ${rule.text}`));
  return select;
}

export async function askRule(rules) {
  const body = [field("Which rule?", ruleSelect(rules))];
  const rule = await ask("I claim a fault", body, (form) => form.elements.rule.value, "Claim");
  if (rule === null) return null;
  return rule ? [rule] : [];
}

/** A grid of all cards; resolves to a face. `numbers`: XIX's 1 to 18. */
export function askCard(title, { numbers = false, jokers = false } = {}) {
  return new Promise((resolve) => {
    const dialog = make("dialog", { "aria-label": title, class: "cards-dialog" });
    let face = null;
    const choose = (value, label, colour, name) =>
      make("button", { class: `face ${colour}`, "aria-label": name, onclick: () => { face = value; dialog.close(); } }, label);
    const rows = numbers
      ? [Array.from({ length: 18 }, (_, i) => choose(String(i + 1), String(i + 1), "black", `the ${i + 1}`))]
      : SUITS.map(([suit, mark, name]) =>
          RANKS.map((rank) => choose(rank + suit, rank.replace("T", "10") + mark, "DH".includes(suit) ? "red" : "black", `${rank} of ${name}`)));
    if (jokers) rows.push([choose("X1", "joker 1", "black", "joker 1"), choose("X2", "joker 2", "black", "joker 2")]);
    rows.push([choose("??", "not known", "black", "not known")]);
    dialog.append(
      make("h2", {}, title),
      ...rows.map((row) => make("div", { class: numbers ? "faces numbers" : "faces" }, ...row)),
      make("div", { class: "row end" }, make("button", { onclick: () => dialog.close() }, "Cancel")),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(face);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export async function askSure(title, text, confirm) {
  return (await ask(title, [make("p", {}, text)], () => true, confirm)) === true;
}
