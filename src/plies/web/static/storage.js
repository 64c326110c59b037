/** What the browser keeps for the page; browsers may refuse to. */

/** What was stored under a name; null if there is nothing. */
export function load(name, storage = "localStorage") {
  try {
    return JSON.parse(window[storage].getItem(`plies.${name}`));
  } catch {
    return null;
  }
}

/** Store a value: for the next visit, or with "sessionStorage" for when this window is loaded again. */
export function store(name, value, storage = "localStorage") {
  try {
    window[storage].setItem(`plies.${name}`, JSON.stringify(value));
  } catch {
    /* then it is lost with the window */
  }
}

/** Forget what was stored under a name. */
export function remove(name) {
  try {
    window.localStorage.removeItem(`plies.${name}`);
  } catch {
    /* nothing was stored */
  }
}

/** Remember what is chosen in a form's element from visit to visit; `changed` is called if that is another value. */
export function remember(element, changed = () => {}) {
  const key = element.type === "checkbox" ? "checked" : "value";
  const name = `setting.${element.id}`;
  const usual = element[key];
  const stored = load(name);
  if (typeof stored === typeof usual) element[key] = stored;
  if (key === "value" && element.value !== stored && element.tagName === "SELECT" && element.selectedIndex < 0) element.value = usual;
  if (element[key] !== usual) changed();
  element.addEventListener("change", () => store(name, element[key]));
}
