/** What every page has at its top: light or dark, and help behind the key "?". */

const THEMES = { auto: "as the system", light: "light", dark: "dark" };

/** Give the button for colours its meaning, and apply what was chosen before. */
function chooseTheme() {
  const button = document.getElementById("theme");
  const kept = remembered("theme");
  let theme = kept in THEMES ? kept : "auto";
  const apply = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-label", `Colours: ${THEMES[theme]}`);
    button.title = `Colours: ${THEMES[theme]}`;
  };
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    remember("theme", theme);
    apply();
  });
  apply();
}

/** What a person chose on an earlier visit; browsers may refuse to tell. */
export function remembered(name) {
  try {
    return localStorage.getItem(`plies.${name}`);
  } catch {
    return null;
  }
}

/** Keep a choice for the next visit. */
export function remember(name, value) {
  try {
    localStorage.setItem(`plies.${name}`, value);
  } catch {
    /* then not */
  }
}

const WRITES = "textarea, select, [contenteditable], input:not([type=checkbox], [type=range], [type=file])";

/** Whether a key press belongs to something that takes text or that key, or to a browser's shortcut. */
export function isTyping(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return true;
  const at = event.target;
  if (!(at instanceof Element)) return false;
  return at.matches(WRITES) || (at.matches("[type=range]") && /^(Arrow|Home|End|Page)/.test(event.key));
}

/** Set up the header. A page has the elements #theme, #help and a dialog #help-dialog. */
export function setUpHeader() {
  chooseTheme();
  const dialog = document.getElementById("help-dialog");
  document.getElementById("help").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !isTyping(event)) {
      event.preventDefault();
      dialog.showModal();
    }
  });
}
