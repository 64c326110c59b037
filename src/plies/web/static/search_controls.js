/** The choice of an algorithm and of its arguments, whatever the server says these are. */

import { make } from "./dom.js";

/**
 * @typedef {{name: string, label: string, kind: string, description: string, choices: string[], optional: boolean,
 *   default: string}} Argument one argument; options are texts by the names of arguments
 * @typedef {[string, Record<string, string>]} Search an algorithm, and those of its options that differ from the default
 */

/** Those options that an algorithm has. */
export function optionsFor(algorithm, options) {
  const names = algorithm.arguments.map(({ name }) => name);
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}

/** A search in words: "alpha-beta (fail hard, no cut on equal)". */
export function searchName(algorithm, options) {
  const words = algorithm.arguments.filter(({ name }) => name in options).map(({ name, label, kind }) => {
    if (kind !== "bool") return `${label} ${options[name]}`;
    return options[name] === "yes" ? label : `no ${label}`;
  });
  return algorithm.label + (words.length > 0 ? ` (${words.join(", ")})` : "");
}

/** Stands for the algorithms that are not offered at first. */
const MORE = "";

export class SearchControls {
  /**
   * Controls in an element, which are shown by `show`.
   * @param {HTMLElement} room
   * @param {string} id of the menu of algorithms, with which the others begin
   * @param {string} label of that menu
   * @param {(algorithm: string, options: Record<string, string>) => void} onChange
   */
  constructor(room, id, label, onChange) {
    this.id = id;
    this.onChange = onChange;
    this.menu = make("select", { id });
    this.fields = make("div", { class: "options", role: "group" });
    this.all = false;
    this.menu.addEventListener("change", () => {
      if (this.menu.value !== MORE) {
        onChange(this.menu.value, this.options);
        return;
      }
      this.all = true;
      this.show(...this.last);
    });
    room.prepend(make("div", { class: "field" }, make("label", { for: id }, label), this.menu), this.fields);
  }

  /** Show a search among the algorithms, of which some suit, and fewer are offered at first. */
  show(algorithms, { suited, first }, name, options) {
    this.options = options;
    this.last = [algorithms, { suited, first }, name, options];
    const offered = suited.filter((value) => this.all || first.includes(value) || value === name);
    this.menu.replaceChildren(...offered.map((value) =>
      make("option", { value, selected: value === name }, algorithms[value].label)));
    const more = suited.length - offered.length;
    if (more) this.menu.append(make("option", { value: MORE }, `${more} more …`));
    if (this.shown !== name) {
      const { label, arguments: all } = algorithms[name];
      const inOrder = [...all].sort((a, b) => (a.kind === "bool") - (b.kind === "bool"));
      this.shown = name;
      this.inputs = new Map(inOrder.map((one) => [one, this.input(one)]));
      this.fields.replaceChildren(...[...this.inputs].map(([one, input]) => labelled(one, input)));
      this.fields.setAttribute("aria-label", `Options of ${label}`);
      this.fields.hidden = all.length === 0;
    }
    for (const [{ name: option, kind, default: usual }, input] of this.inputs) {
      if (kind === "bool") input.checked = (options[option] ?? usual) === "yes";
      else input.value = options[option] ?? (kind === "choice" ? usual : "");
    }
  }

  /** The control of one argument. */
  input({ name, kind, description, choices, default: usual }) {
    const shared = { id: `${this.id}-${name}`, title: description };
    const input = kind === "choice"
      ? make("select", shared, ...choices.map((value) => make("option", { value }, value)))
      : make("input", { ...shared, ...inputType(kind), placeholder: kind === "bool" ? null : signs(usual) });
    input.addEventListener("change", () => {
      const { [name]: _, ...others } = this.options;
      const value = kind === "bool" ? (input.checked ? "yes" : "no") : input.value.trim();
      this.onChange(this.shown, value === "" || value === usual ? others : { ...others, [name]: value });
    });
    return input;
  }

  /** Turn an argument that is on or off to the other; its label and what it is now, or null if there is none. */
  toggle(name) {
    const found = [...(this.inputs ?? [])].find(([one]) => one.name === name && one.kind === "bool");
    if (!found) return null;
    found[1].click();
    return `${found[0].label}: ${found[1].checked ? "on" : "off"}`;
  }
}

function inputType(kind) {
  if (kind === "bool") return { type: "checkbox" };
  if (kind === "int") return { type: "number", step: 1 };
  return kind === "float" ? { type: "number", step: "any" } : { type: "text", maxlength: 60, autocomplete: "off" };
}

function labelled({ kind, label }, input) {
  if (kind === "bool") return make("label", { class: "check" }, input, label);
  return make("div", { class: "field" }, make("label", { for: input.id }, label), input);
}

const signs = (text) => text.replace("inf", "∞").replace("-", "−");
