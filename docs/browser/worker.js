/** The worker in which Python runs: Pyodide, with Plies unpacked from a file of this site. Nothing comes from elsewhere. */

import { loadPyodide } from "../pyodide/pyodide.mjs";

/** The most lines that a cell may print: a loop that prints must not fill the memory of the page. */
const MOST_LINES = 2000;

let pyodide = null;
let plies = null;
let running = null;
let lines = 0;

function print(text) {
  if (running === null) return;
  lines += 1;
  if (lines <= MOST_LINES) postMessage({ id: running, print: text });
  else if (lines === MOST_LINES + 1) postMessage({ id: running, print: `… more than ${MOST_LINES} lines; the rest is left out` });
}

async function load() {
  pyodide = await loadPyodide();
  const packed = await fetch(new URL("../plies.zip", import.meta.url));
  if (!packed.ok) throw new Error(`plies.zip: ${packed.status}`);
  const folder = pyodide.runPython("import site; site.getsitepackages()[0]");
  pyodide.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: folder });
  pyodide.setStdout({ batched: print });
  pyodide.setStderr({ batched: print });
  plies = pyodide.pyimport("plies.web.in_browser");
  postMessage({ ready: true });
}

/** What a cell's code gives: its last value, and the names that it has defined. */
function run(code) {
  const names = plies.cell();
  const value = pyodide.runPython(code, { globals: names, filename: "cell.py" });
  return { names, value };
}

/** The part of a traceback that is about the cell. */
function brief(error) {
  const said = String(error.message ?? error).trimEnd().split("\n");
  const start = said.findIndex((line) => line.includes('"cell.py"'));
  return start < 0 ? said.at(-1) : said.slice(start).join("\n");
}

function answer(message) {
  if (!["run", "define", "grade"].includes(message.type)) return JSON.parse(plies.answer(JSON.stringify(message)));
  const { names, value } = run(message.code);
  if (message.type === "grade") return JSON.parse(plies.graded(names));
  const shown = JSON.parse(plies.shown(value));
  if (message.type === "run") return { result: shown };
  return { result: { ...shown, ...plies.define(names).toJs({ dict_converter: Object.fromEntries }) } };
}

const ready = load().catch((error) => postMessage({ failed: `Python could not be loaded: ${error.message ?? error}` }));

addEventListener("message", async ({ data }) => {
  await ready;
  if (!plies) return;
  running = data.id;
  lines = 0;
  try {
    postMessage({ ...answer(data), id: data.id });
  } catch (error) {
    postMessage({ id: data.id, error: brief(error) });
  } finally {
    running = null;
  }
});
