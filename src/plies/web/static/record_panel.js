/** What can be written down: parameters, the position as a string, a link, and records out and in. */

import { Game } from "./game.js";

const $ = (id) => document.getElementById(id);
const LARGEST = 60_000;

export class RecordPanel {
  constructor(page) {
    this.page = page;
    $("parameters").addEventListener("submit", (event) => this.change(event));
    $("set-up").addEventListener("submit", (event) => this.setUp(event));
    $("copy").addEventListener("click", () => this.copy());
    $("download").addEventListener("click", () => this.download());
    $("record-in").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load($("record-text").value);
    });
    $("file").addEventListener("change", () => this.loadFile());
  }

  /** Show what a game has: its parameters and the formats of its records. */
  configure(entry, details) {
    const given = this.page.game.parameters;
    const fields = entry.parameters.map(({ name, kind, default: usual }) => {
      const field = document.createElement("div");
      field.className = "field";
      const label = Object.assign(document.createElement("label"), { textContent: name.replaceAll("_", " "), htmlFor: `p-${name}` });
      let input;
      if (kind === "yes or no") {
        input = document.createElement("select");
        input.append(new Option("yes"), new Option("no"));
      } else {
        input = Object.assign(document.createElement("input"), { type: "text", maxLength: 4000, placeholder: usual, autocomplete: "off" });
        if (kind === "number") input.inputMode = "decimal";
      }
      Object.assign(input, { id: `p-${name}`, value: given[name] ?? usual }); // a name would hide what the form has by that name
      input.dataset.usual = usual;
      field.append(label, input);
      return field;
    });
    const button = Object.assign(document.createElement("button"), { type: "submit", textContent: "New game with these" });
    $("parameters").replaceChildren(...fields, ...(fields.length ? [button] : []));
    $("format").replaceChildren(...details.formats.map((form) => new Option(form === "svg" ? "Picture (SVG)" : form.toUpperCase(), form)));
  }

  /** Show what belongs to the present position. */
  show() {
    const { page } = this;
    $("position").value = page.view.position;
    $("position").placeholder = page.details.position;
    $("permalink").value = `${location.origin}/#${page.game.hash}`;
  }

  /** A new game with the parameters in the form. */
  change(event) {
    event.preventDefault();
    const parameters = {};
    for (const input of $("parameters").querySelectorAll("input, select")) {
      if (input.value !== input.dataset.usual && input.value.trim()) parameters[input.id.slice(2)] = input.value;
    }
    this.page.open(new Game(this.page.game.name, parameters));
  }

  setUp(event) {
    event.preventDefault();
    this.page.open(new Game(this.page.game.name, this.page.game.parameters, $("position").value.trim()));
  }

  async copy() {
    $("permalink").select();
    try {
      await navigator.clipboard.writeText($("permalink").value);
      this.note("The link is copied.");
    } catch {
      this.note("The link is selected: copy it with Ctrl-C.");
    }
  }

  async download() {
    const { page } = this;
    const form = $("format").value;
    try {
      const { text } = await page.connection.ask({ do: "write", ...page.game.place(), format: form });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: form === "svg" ? "image/svg+xml" : "text/plain" }));
      link.download = `${page.game.name}.${form}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      this.note(`Written as ${link.download}.`);
    } catch (error) {
      this.note(error.message);
    }
  }

  async loadFile() {
    const [file] = $("file").files;
    if (!file) return;
    if (file.size > LARGEST) this.note(`${file.name} is too large: a record has up to ${LARGEST.toLocaleString("en")} bytes here.`);
    else await this.load(await file.text());
    $("file").value = "";
  }

  /** Open the game that a record tells. */
  async load(text) {
    const { page } = this;
    if (!text.trim()) {
      this.note("Paste a record, or choose a file.");
      return;
    }
    try {
      const { record } = await page.connection.ask({ do: "read", text });
      const game = new Game(record.game, record.parameters, record.position);
      game.visit(game.add(record.moves));
      if (await page.open(game, { live: false })) {
        this.note(`Loaded ${record.moves.length} moves.`);
        $("record-text").value = "";
      } else this.note($("problem").textContent);
    } catch (error) {
      this.note(error.message);
    }
  }

  note(words) {
    $("record-note").textContent = words;
  }
}
