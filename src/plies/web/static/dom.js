/** Helpers for the document that both pages use. */

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. */
export const $ = (id) => document.getElementById(id);

/** Make an element. An attribute that is true is there without a value; null and false leave it out. */
export const make = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

/** Make an SVG element. */
export const makeSvg = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** Make a button. */
export function makeButton(content, onClick, attributes = {}) {
  const button = make("button", { type: "button", ...attributes }, content);
  button.addEventListener("click", onClick);
  return button;
}

/** Listen for an event of the element with an id. */
export const listen = (id, event, handler) => $(id).addEventListener(event, handler);

/** Handle a form in the page itself. */
export const onSubmit = (id, handler) => listen(id, "submit", (event) => {
  event.preventDefault();
  handler();
});

const TAKES_TEXT = "textarea, select, [contenteditable], input:not([type=checkbox], [type=range], [type=file])";

/** Whether a key press belongs to an element that takes text or that key, to a dialog or to the browser. */
export function isTyping(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  return target.matches(TAKES_TEXT) || (target.matches("[type=range]") && /^(Arrow|Home|End|Page)/.test(event.key));
}
