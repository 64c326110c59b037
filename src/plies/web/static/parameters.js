/** A form for the parameters of a game. */

import { make } from "./dom.js";

/** Fields for the parameters, with the values given or else the default ones. */
export const parameterFields = (parameters, given) => parameters.map(({ name, kind, default: usual }) => {
  const id = `p-${name}`; // an id, because a name would hide the form's member of that name
  const input = kind === "yes or no"
    ? make("select", { id }, new Option("yes"), new Option("no"))
    : make("input", {
      id, type: "text", maxlength: 4000, placeholder: usual, autocomplete: "off",
      inputmode: kind === "number" && "decimal",
    });
  input.value = given[name] ?? usual;
  input.dataset.usual = usual;
  return make("div", { class: "field" }, make("label", { for: id }, name.replaceAll("_", " ")), input);
});

/** The parameters in such fields that differ from the default ones. */
export function parametersIn(form) {
  const parameters = {};
  for (const input of form.querySelectorAll("[data-usual]")) {
    if (input.value !== input.dataset.usual && input.value.trim()) parameters[input.id.slice(2)] = input.value;
  }
  return parameters;
}
