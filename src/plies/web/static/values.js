/** Values of positions and other numbers as people read them. */

import { make } from "./dom.js";

/** A value in few characters. */
export function short(value) {
  const bound = { "=": "", ">=": "≥", "<=": "≤" }[value.bound];
  if (value.proved) return bound + value.text.replace(/^[<>]= /, "").replace(" in ", " ");
  const size = Math.abs(value.utility);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const number = size.toFixed(digits);
  return `${bound}${Number(number) === 0 ? "" : value.utility > 0 ? "+" : "−"}${number}`;
}

/** Whether a value is good, even or bad for the side to move. */
export function tone(value) {
  if (Math.abs(value.lead) < (value.proved ? 1e-12 : 0.005)) return "even";
  return value.lead > 0 ? "good" : "bad";
}

/** A value in a frame: solid with a tick if it is proved, dashed if it is an estimate; a mean has its error. */
export function chip(value) {
  const error = value.error === undefined ? "" : ` ± ${Number(value.error.toPrecision(1))}`;
  return make("span", {
    class: `chip ${tone(value)}${value.proved ? " proved" : ""}`,
    title: value.proved ? "proved" : "estimate",
  }, value.proved ? value.text : short(value) + error);
}

/** A large number: 12,345 or 1.2 M. */
export function large(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number.toLocaleString("en");
}
