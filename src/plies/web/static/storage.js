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
