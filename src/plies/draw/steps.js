// Steps: a tree that shows what a search knows after each of its steps, forward and back, never by itself.

const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const draft = (name, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/** The buttons: what each is called, what it shows, and the step it leads to. */
const MOVES = [
  ["first step", "|◀", () => 0],
  ["back", "◀", (step) => step - 1],
  ["forward", "▶", (step) => step + 1],
  ["last step", "▶|", (_, total) => total],
];

const KEYS = {
  ArrowLeft: (step) => step - 1,
  ArrowRight: (step) => step + 1,
  Home: () => 0,
  End: (_, total) => total,
};

/** What clickers send. */
const CLICKER = { PageUp: KEYS.ArrowLeft, PageDown: KEYS.ArrowRight };

/**
 * Show the steps of a search in an element.
 *
 * data: {title, svg, intro, steps: [{node, value, window, open, cut, say}], parents: {node: parent}}, as
 * Python made it. options.keys is what listens for the arrow keys: the element itself, unless given; with
 * options.clicker, the keys of a clicker step as well, and do not scroll.
 * data.leaf_values are the values of leaves by node, which are then shown from the start; a step that cuts branches which are
 * drawn has their nodes in `skipped`, and the reason in short.
 * Returns {go(step), step()}; the element sends "step" whenever another step is shown.
 */
export function showSteps(element, data, options = {}) {
  const total = data.steps.length;
  const room = make("div", { class: "steps-tree", tabindex: "0", role: "group", "aria-label": data.title });
  room.innerHTML = data.svg;
  const tree = room.querySelector("svg");
  const natural = Number(tree.getAttribute("width"));
  tree.style.width = "100%";
  tree.style.height = "auto";
  tree.style.maxWidth = `${1.3 * natural}px`;
  tree.style.minWidth = `${Math.min(natural, Math.max(0.75 * natural, 320))}px`;

  const say = make("p", { class: "steps-say", "aria-live": "polite", "aria-atomic": "true" });
  const count = make("span", { class: "steps-count" });
  const bounds = make("dl", { class: "steps-bounds" });
  const alpha = make("dd");
  const beta = make("dd");
  bounds.append(
    make("div", {}, make("dt", {}, "alpha"), alpha),
    make("div", {}, make("dt", {}, "beta"), beta),
  );
  bounds.hidden = !data.steps.some((step) => step.window);
  const slider = make("input", { type: "range", min: 0, max: total, step: 1, "aria-label": "step" });
  const buttons = MOVES.map(([label, sign, to]) => {
    const button = make("button", { type: "button", "aria-label": label, title: label }, sign);
    button.addEventListener("click", () => go(to(now, total)));
    return button;
  });
  const controls = make("div", { class: "steps-controls", role: "group", "aria-label": "steps" });
  controls.append(...buttons.slice(0, 2), slider, ...buttons.slice(2), count);

  const words = make("ol", { class: "steps-words" });
  for (const step of data.steps) words.append(make("li", {}, step.say));
  const all = make("details", {}, make("summary", {}, "All steps in words"), words);
  element.classList.add("plies-steps");
  element.replaceChildren(controls, make("div", { class: "steps-panel" }, say, bounds), room, all);

  const nodes = new Map();
  for (const node of tree.querySelectorAll(".node")) nodes.set(Number(node.dataset.node), node);
  const edges = new Map();
  for (const edge of tree.querySelectorAll(".edge")) edges.set(Number(edge.dataset.node), edge);
  const cuts = [...tree.querySelectorAll(".cut, .reason")];
  const whole = tree.querySelector(".whole");
  const leaves = data.leaf_values ?? {};
  for (const step of data.steps) crossOut(step);
  let now = -1;

  /** Draw the crosses of a step that cuts branches, which are shown once it is made. */
  function crossOut({ node, cut, skipped = [], reason = "" }) {
    skipped.forEach((number, place) => {
      const wire = edges.get(number)?.querySelector(".wire");
      if (!wire) return;
      const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => Number(wire.getAttribute(name)));
      const [x, y] = [x1 + 0.5 * (x2 - x1), y1 + 0.5 * (y2 - y1)];
      const cross = draft("path", { class: "cross", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` });
      const words = draft("text", { class: "reason", x: x + 9, y: y + 4 }, reason);
      words.style.textAnchor = "start"; // where the cross is, and not around it
      const parts = [draft("g", { class: "cut" }, cross), ...(place === skipped.length - 1 ? [words] : [])];
      for (const part of parts) Object.assign(part.dataset, { parent: node, cut });
      whole.append(...parts);
      cuts.push(...parts);
    });
  }

  function go(wanted, quietly = false) {
    const step = Math.max(0, Math.min(total, wanted));
    if (step === now) return;
    now = step;
    draw();
    tell();
    if (!quietly) reveal();
    element.dispatchEvent(new CustomEvent("step", { detail: step }));
  }

  /** What is known after the step: of every node its latest change, and whose branches were cut. */
  function draw() {
    const known = new Map();
    const cut = new Set();
    for (const change of data.steps.slice(0, now)) {
      known.set(change.node, change);
      if (change.cut) cut.add(`${change.node} ${change.cut}`);
    }
    const path = now > 0 && now < total ? pathTo(data.steps[now - 1].node) : [];
    for (const [number, node] of nodes) {
      const change = known.get(number);
      node.classList.toggle("unseen", !change);
      node.classList.toggle("open", Boolean(change && change.open));
      node.classList.toggle("current", path[0] === number);
      write(node, ".value", change ? change.value : leaves[number] ?? "");
      write(node, ".alpha", change && change.window ? `α ${change.window[0]}` : "");
      write(node, ".beta", change && change.window ? `β ${change.window[1]}` : "");
    }
    for (const [number, edge] of edges) {
      edge.classList.toggle("unseen", !known.has(number));
      edge.classList.toggle("path", path.includes(number));
    }
    for (const part of cuts) part.classList.toggle("unseen", !cut.has(`${part.dataset.parent} ${part.dataset.cut}`));
    whole.classList.toggle("done", now === total);
  }

  function write(node, selector, text) {
    const place = [...node.children].find((child) => child.matches(selector));
    if (place && place.textContent !== text) place.textContent = text;
  }

  function pathTo(number) {
    const path = [];
    for (let at = number; at !== undefined && at !== null; at = data.parents[at]) path.push(at);
    return path;
  }

  /** The sentence, the window of the node that it is about, or of the nearest one above, and the count. */
  function tell() {
    say.textContent = now ? data.steps[now - 1].say : data.intro;
    const window = now ? latestWindow(now) : null;
    alpha.textContent = window ? window[0] : "−∞";
    beta.textContent = window ? window[1] : "+∞";
    count.textContent = `${now} / ${total}`;
    slider.value = now;
    slider.setAttribute("aria-valuetext", `step ${now} of ${total}`);
    buttons.forEach((button, place) => {
      button.disabled = place < 2 ? now === 0 : now === total;
    });
    [...words.children].forEach((item, place) => {
      if (place === now - 1) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
  }

  function latestWindow(step) {
    const path = pathTo(data.steps[step - 1].node);
    for (const number of path) {
      for (let i = step - 1; i >= 0; i--) {
        if (data.steps[i].node === number && data.steps[i].window) return data.steps[i].window;
      }
    }
    return null;
  }

  /** Bring the node that the step is about into sight, if the tree is larger than its room. */
  function reveal() {
    const node = now && nodes.get(data.steps[now - 1].node);
    if (!node) return;
    const place = node.getBoundingClientRect();
    const frame = room.getBoundingClientRect();
    const beside = place.left < frame.left || place.right > frame.right;
    const beyond = place.top < frame.top || place.bottom > frame.bottom;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    room.scrollBy({
      left: beside ? (place.left + place.right - frame.left - frame.right) / 2 : 0,
      top: beyond ? (place.top + place.bottom - frame.top - frame.bottom) / 2 : 0,
      behavior: still ? "auto" : "smooth",
    });
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  const keys = options.clicker ? { ...KEYS, ...CLICKER } : KEYS;
  const listener = (event) => {
    const move = keys[event.key];
    const typing = event.target.closest?.("input, textarea, select, [contenteditable], dialog");
    if (!move || typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(move(now, total));
  };
  const listening = options.keys ?? element;
  listening.addEventListener("keydown", listener, { signal: options.signal });
  go(options.step ?? 0, true);
  return { go, step: () => now, total };
}
