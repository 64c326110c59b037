/** Parameters of the game, the position as text, its link, and records to export and import. */

import { $, listen, make, onSubmit } from "./dom.js";
import { Game } from "./game.js";
import { copyLink } from "./page.js";
import { parameterFields, parametersIn } from "./parameters.js";

const LARGEST = 60_000;

/**
 * @typedef {object} Callbacks
 * @property {(type: string, fields: object) => Promise<any>} ask sends a message
 * @property {() => Game} game the game that is shown
 * @property {(words: string) => void} problem shows an error
 * @property {(game: Game, autoplay?: boolean) => Promise<string>} open shows another game; resolves to an error or ""
 */

export class RecordPanel {
  /** @param {Callbacks} on */
  constructor(on) {
    this.on = on;
    onSubmit("parameters", () => this.changeParameters());
    onSubmit("set-up", () => {
      const { name, parameters } = on.game();
      on.open(new Game(name, parameters, $("position").value.trim()));
    });
    listen("copy", "click", async () => this.note(await copyLink()));
    listen("download", "click", () => this.download());
    onSubmit("record-in", () => this.load($("record-text").value));
    listen("file", "change", () => this.loadFile($("file").files[0]));
    takeDrops((file) => this.loadFile(file));
  }

  /** Show the parameters of a game and the formats of its records. */
  configure(parameters, details) {
    const fields = parameterFields(parameters, this.on.game().parameters);
    const button = make("button", { type: "submit" }, "Apply");
    $("parameters").replaceChildren(...fields, ...(fields.length ? [button] : []));
    $("format").replaceChildren(...details.formats.map((format) =>
      new Option({ svg: "Picture (SVG)", html: "Page that replays (HTML)" }[format] ?? format.toUpperCase(), format)));
    $("position").placeholder = details.position;
  }

  /** Show the current position. */
  show(view) {
    $("position").value = view.position;
    const lesson = this.on.game().fields();
    $("on-learn").href = `/learn#${encodeURIComponent(JSON.stringify(lesson))}`;
    $("on-learn").hidden = view.over;
  }

  /** Show the link: what comes after "#". */
  showLink(hash) {
    $("permalink").value = `${location.origin}/#${hash}`;
  }

  /** A new game with the parameters in the form. */
  changeParameters() {
    const parameters = parametersIn($("parameters"));
    this.on.open(new Game(this.on.game().name, parameters));
  }

  async download() {
    const format = $("format").value;
    const game = this.on.game();
    try {
      const text = await this.on.ask("write_record", { ...game.fields(), format, ...annotated(game, format) });
      const file = new Blob([text], { type: format === "svg" ? "image/svg+xml" : "text/plain" });
      const link = make("a", { href: URL.createObjectURL(file), download: `${game.name}.${format}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      this.note(`Saved as ${link.download}.`);
    } catch (error) {
      this.note(error.message);
    }
  }

  async loadFile(file) {
    if (!file) return;
    if (file.size > LARGEST) this.fail(`The file ${file.name} is too large: a record may have at most ${LARGEST.toLocaleString("en")} bytes.`);
    else {
      try {
        await this.load(await file.text());
      } catch { // a folder, or a file that is gone
        this.fail(`The file ${file.name} cannot be read.`);
      }
    }
    $("file").value = "";
  }

  /** Open the game of a record. */
  async load(text) {
    if (!text.trim()) {
      this.note("Paste a record, or choose a file.");
      return;
    }
    this.note("Reading…");
    try {
      const record = await this.on.ask("read_record", { text });
      const { parameters, position, moves, headers, result, tree, left_out: leftOut } = record;
      const game = new Game(record.game, parameters, position);
      game.addTree(tree);
      game.headers = headers;
      game.result = result;
      game.visit(game.add(moves));
      const problem = await this.on.open(game, false);
      this.note([problem || `Loaded ${moves.length} moves.`, ...leftOut].join(" "));
      if (!problem && leftOut.length) this.on.problem(`Read: ${leftOut.join("; ")}`);
      if (!problem) $("record-text").value = "";
    } catch (error) {
      this.fail(error.message);
    }
  }

  /** Say what is wrong, here and where it is seen when this panel is closed. */
  fail(words) {
    this.note(words);
    this.on.problem(words);
  }

  note(words) {
    $("record-note").textContent = words;
  }
}

/** What a record has beside the moves that lead to the position: all others, what is said, and how it ended. */
function annotated(game, format) {
  if (format === "svg") return {};
  const { winner = null, how = "" } = game.outcome ?? {};
  return { moves: game.mainLine, tree: game.tree, headers: game.headers, result: game.result, winner, how };
}

/** Take files that are dropped anywhere on the page. */
function takeDrops(load) {
  const holdsFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  const mark = (on) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => !event.relatedTarget && mark(false));
  document.addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    mark(false);
    load(event.dataTransfer.files[0]);
  });
}
