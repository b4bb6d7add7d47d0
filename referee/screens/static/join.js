// A phone says whose it is: a player's, the operator's, or just looking on.

import { Connection } from "./connection.js";
import { byId, make } from "./dom.js";
import { icon } from "./icons.js";
import { setUpTheme } from "./theme.js";

setUpTheme();
const connection = new Connection({ role: "audience" });
let level = "player";
connection.addEventListener("welcome", (event) => (level = event.detail.level));
connection.addEventListener("board", (event) => show(event.detail));

function entry(href, mark, title, text) {
  return make("a", { href }, mark, make("span", {}, title, make("small", {}, text)));
}

function show(board) {
  const players = board.players ?? [];
  byId("match").textContent = board.head.stage === "setup" ? "The match is still being set up." : board.head.game_title;
  const list = players.map((player) =>
    entry(`/?seat=${player.seat}`, make("span", { class: `chip seat-${player.seat}` }, player.seat), player.name, "I play here: my buttons, my side of the table"));
  list.push(entry("/?role=audience", icon("table"), "I look on", "The table, large, without buttons"));
  if (level === "operator") list.push(entry("/?role=operator", icon("whistle"), "I am the operator", "Corrections, questions, pause"));
  byId("list").replaceChildren(...list);
}
