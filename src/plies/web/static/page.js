/** What both pages have: theme, help, the state of the connection, the line for errors, and links to copy. */

import { $, isTyping, listen } from "./dom.js";
import { load, store } from "./storage.js";

const THEMES = { auto: "system", light: "light", dark: "dark" };

/** Set up the header: the elements #theme and #help, and the dialog #help-dialog. */
export function setUpHeader() {
  setUpTheme();
  listen("help", "click", () => $("help-dialog").showModal());
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !isTyping(event)) {
      event.preventDefault();
      $("help-dialog").showModal();
    }
  });
}

function setUpTheme() {
  const stored = load("theme");
  let theme = stored in THEMES ? stored : "auto";
  const apply = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    $("theme").setAttribute("aria-label", `Theme: ${THEMES[theme]}`);
    $("theme").title = `Theme: ${THEMES[theme]}`;
  };
  listen("theme", "click", () => {
    const names = Object.keys(THEMES);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    store("theme", theme);
    apply();
  });
  apply();
}

/** Show whether the server is connected: "open" or "closed". */
export function showConnection(state) {
  $("connection").dataset.state = state;
  $("connection").textContent = state === "open" ? "" : "Connection lost. Reconnecting…";
}

/** Show an error, as a sentence, where it is seen; "" for none. */
export function showProblem(words) {
  const line = $("home")?.hidden === false ? $("home-problem") : $("problem");
  line.textContent = words && words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
  line.hidden = !words;
  if (words) line.scrollIntoView({ block: "nearest" }); // on a phone, forms are far below
}

/** Copy the link in #permalink; returns a note about it. */
export async function copyLink() {
  $("permalink").select();
  try {
    await navigator.clipboard.writeText($("permalink").value);
    return "Link copied.";
  } catch {
    return "Link selected. Press Ctrl+C to copy it.";
  }
}
