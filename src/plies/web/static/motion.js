/**
 * How a move looks: pieces slide, discs turn over, seeds arrive one after the other. It compares two pictures and
 * knows no rules. Who prefers reduced motion sees the new picture at once.
 */

/** Milliseconds of a slide, and between one seed and the next. Not tuned. */
const SLIDE = 220;
const SEED = 90;

export const stillWanted = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The pieces of a picture: element, look, whatever is written on it, and place. */
export function piecesOf(svg) {
  return [...svg.querySelectorAll(".piece:not(.overlay *)")].map((element) => {
    const { x, y, width, height } = element.getBBox();
    const place = { x: x + width / 2, y: y + height / 2 };
    return { element, look: element.getAttribute("class"), same: element.outerHTML, place };
  });
}

/** Move the pieces of a new picture from where they were. */
export function animate(before, svg) {
  if (stillWanted() || !before.length) return;
  const after = piecesOf(svg);
  const kept = new Set(after.map(({ same }) => same));
  const gone = before.filter(({ same }) => !kept.has(same));
  const old = new Set(before.map(({ same }) => same));
  const come = after.filter(({ same }) => !old.has(same));
  const seeds = come.filter(({ look }) => look.includes("seeds"));
  sow(seeds, gone);
  for (const piece of come) {
    if (seeds.includes(piece)) continue;
    const there = gone.find(({ place }) => near(place, piece.place));
    const from = gone.filter(({ look, moved }) => look === piece.look && !moved)
      .sort((a, b) => distance(a.place, piece.place) - distance(b.place, piece.place))[0];
    if (there && there.look !== piece.look && !from) turnOver(piece);
    else if (from) {
      from.moved = true;
      slide(piece, from.place.x - piece.place.x, from.place.y - piece.place.y);
    } else arrive(piece, svg);
  }
}

function near(a, b) {
  return distance(a, b) < 20;
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function slide({ element }, dx, dy) {
  element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
}

function turnOver({ element }) {
  const style = { transformBox: "fill-box", transformOrigin: "center" };
  Object.assign(element.style, style);
  element.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: SLIDE });
}

/** A new piece appears; where pieces are dropped into columns, from above. */
function arrive(piece, svg) {
  if (svg.querySelector(".hole") && svg.querySelector(".slot")) slide(piece, 0, -piece.place.y);
  else piece.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: SLIDE });
}

/** Seeds come in the order of sowing: around the board from the pit that was emptied. */
function sow(seeds, gone) {
  if (!seeds.length) return;
  const all = [...seeds, ...gone];
  const middle = {
    x: all.reduce((sum, { place }) => sum + place.x, 0) / all.length, y: all.reduce((sum, { place }) => sum + place.y, 0) / all.length,
  };
  const angle = ({ place }) => Math.atan2(middle.y - place.y, place.x - middle.x);
  const fell = gone.find(({ place }) => !seeds.some((piece) => near(piece.place, place))) ?? seeds[0];
  const turn = (piece) => (angle(piece) - angle(fell) + 4 * Math.PI) % (2 * Math.PI);
  [...seeds].sort((a, b) => turn(a) - turn(b)).forEach(({ element }, i) => {
    element.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: SEED, delay: i * SEED, fill: "backwards" });
  });
}
