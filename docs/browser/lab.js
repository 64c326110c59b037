/** The lab: small games against the book's algorithms, a cell for games of one's own, and a grader. */

import { Connection } from "./connection.js";
import { $, listen, make, onSubmit } from "./dom.js";
import { showProblem } from "./page.js";

const GAME = `from typing import NamedTuple

import plies


class State(NamedTuple):
    total: int
    player: int


class Ten(plies.Game):
    """Add 1, 2 or 3 in turn: whoever makes ten wins, whoever passes it loses."""

    def initial(self):
        return State(0, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        if state.total < 10:
            for number in range(1, 4):
                yield number

    def result(self, state, action):
        return State(state.total + action, 1 - state.player)

    def is_terminal(self, state):
        return state.total >= 10

    def utility(self, state, player):
        winner = 1 - state.player if state.total == 10 else state.player
        return 1 if player == winner else -1


print(plies.book.minimax(Ten()).line)
plies.draw.game_tree(Ten(), depth=2)
`;

const FUNCTION = `def minimax(game, state):
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [minimax(game, game.result(state, action)) for action in game.actions(state)]
    return max(values)  # is it always MAX who moves?
`;

/** The game that is played: its fields of a message, and the moves so far. */
let playing = null;
let busy = 0;
/** The games that were written here. */
const own = new Set();

const connection = new Connection((state) => {
  $("connection").dataset.state = state;
  $("connection").textContent = state === "open" ? "Python is ready." : "Python is loading…";
});

/** Send a message and show an error; null after an error. */
async function ask(type, fields = {}, onProgress) {
  busy += 1;
  $("stop").disabled = false;
  try {
    const result = await connection.ask(type, fields, onProgress);
    showProblem("");
    return result;
  } catch (error) {
    showProblem(error.message);
    return null;
  } finally {
    busy -= 1;
    $("stop").disabled = busy === 0;
  }
}

// -- Playing.

async function listGames(chosen = $("game").value) {
  const games = await ask("games");
  if (!games) return;
  $("game").replaceChildren(...games.map(({ name, title }) => make("option", { value: name }, title)));
  if (games.some(({ name }) => name === chosen)) $("game").value = chosen;
  await listOpponents();
}

async function listOpponents() {
  const found = await ask("opponents", { game: $("game").value });
  if (!found) return;
  $("opponent").replaceChildren(...found.map(({ name, label }) => make("option", { value: name }, label)));
  const usual = found.find(({ name }) => name === "alpha-beta") ?? found.find(({ name }) => name === "expectiminimax");
  if (usual) $("opponent").value = usual.name;
}

async function play(moves) {
  const view = await ask("play", { ...playing, moves });
  if (!view) return;
  $("board").innerHTML = view.svg ?? "";
  if (!view.svg) $("board").replaceChildren(make("pre", {}, view.text));
  $("says").textContent = view.says;
  $("record").textContent = view.moves.length ? `Moves: ${view.moves.join(" ")}` : "";
  $("moves").replaceChildren(...view.legal.map((move) => {
    const button = make("button", { type: "button" }, move);
    button.addEventListener("click", () => play([...view.moves, move]));
    return button;
  }));
  $("search").hidden = view.over || own.has(playing.game); // the Learn page has a Python of its own
  const subject = { game: playing.game, position: view.position, depth: 2 };
  $("search").href = `learn.html#${encodeURIComponent(JSON.stringify(subject))}`;
}

// -- Writing and grading.

function showValue(into, { svg, html, text }) {
  into.replaceChildren();
  if (svg) into.innerHTML = svg;
  else if (html) into.innerHTML = html;
  else if (text) into.replaceChildren(make("pre", {}, text));
}

async function run() {
  $("printed").textContent = "";
  $("value").replaceChildren();
  const result = await ask("define", { code: $("code").value }, ({ print }) => {
    $("printed").textContent += `${print}\n`;
  });
  if (!result) return;
  showValue($("value"), result);
  for (const check of result.checks) $("printed").textContent += `\n${check}\n`;
  for (const name of result.games) own.add(name);
  if (result.games.length) await listGames(result.games.at(-1));
}

async function grade() {
  $("verdict").replaceChildren();
  $("report").hidden = true;
  const result = await ask("grade", { code: $("pasted").value });
  if (!result) return;
  $("verdict").textContent = result.says;
  $("verdict").dataset.ok = result.ok;
  $("report").srcdoc = result.page;
  $("report").hidden = false;
}

$("code").value = GAME;
$("pasted").value = FUNCTION;
listen("game", "change", listOpponents);
listen("stop", "click", async () => {
  connection.stop();
  await listGames();
});
onSubmit("play", () => {
  const depth = $("depth").value === "" ? null : Number($("depth").value);
  playing = { game: $("game").value, opponent: $("opponent").value, you: Number($("you").value), depth };
  return play([]);
});
onSubmit("write", run);
onSubmit("grade", grade);
listGames("tic-tac-toe");
