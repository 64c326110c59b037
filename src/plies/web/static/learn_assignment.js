/**
 * Assignments: a tree to practise on as a link, and the answers to it as another, which shows their marks when it is
 * opened. Everything is in the links: the server keeps nothing.
 */

import { make, makeButton } from "./dom.js";

const LONGEST_NAME = 60;
const STAGES = ["answer", "marked"];

/** The assignment in the state of a link; null if there is none. */
export function assignmentIn(found) {
  if (!STAGES.includes(found?.stage)) return null;
  const texts = Object.entries(found.values ?? {}).filter(([, text]) => typeof text === "string");
  return {
    stage: found.stage,
    name: typeof found.name === "string" ? found.name.slice(0, LONGEST_NAME) : "",
    values: Object.fromEntries(texts.map(([number, text]) => [number, text.slice(0, 40)])),
    cuts: (Array.isArray(found.cuts) ? found.cuts : []).filter(Number.isInteger),
  };
}

/** Answers as a panel keeps them. */
export function answersIn({ values, cuts }, of) {
  const numbered = Object.entries(values).map(([number, text]) => [Number(number), text]);
  return { values: new Map(numbered), cuts: new Set(cuts), of };
}

/** A link to show and copy. */
function linkField(label, link) {
  const field = make("input", { type: "text", readonly: "", "aria-label": label, class: "grow assignment-link" });
  field.value = link;
  const note = make("span", { class: "note", role: "status" });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(link);
      note.textContent = "Copied.";
    } catch {
      note.textContent = "Copy the link from the field.";
    }
  };
  const row = make("div", { class: "row" }, field, makeButton("Copy", copy), note);
  copy();
  return row;
}

/**
 * What a panel of practice offers below its buttons.
 * @param {{stage: string, name: string} | null} assignment
 * @param {{values: Map<number, string>, cuts: Set<number>}} answers
 * @param {(assignment: object) => string} linkTo the link to this page with an assignment
 */
export function assignmentPanel(assignment, answers, linkTo) {
  const room = make("div", { class: "assignment" });
  const shown = make("div");
  if (assignment?.stage === "answer") {
    const name = make("input", { type: "text", maxlength: LONGEST_NAME, "aria-label": "Your name", placeholder: "Your name" });
    name.value = assignment.name;
    const hand = makeButton("Hand in", () => {
      const values = Object.fromEntries([...answers.values].filter(([, text]) => text.trim()));
      const link = linkTo({ stage: "marked", name: name.value.trim(), values, cuts: [...answers.cuts] });
      shown.replaceChildren(make("p", { class: "note" }, "Send this link back: it has your answers."),
        linkField("Link to your answers", link));
    }, { class: "main" });
    room.append(make("div", { class: "row" }, name, hand), shown);
  } else if (!assignment) {
    room.append(makeButton("Make an assignment", () => {
      shown.replaceChildren(make("p", { class: "note" }, "Send this link: it asks for the answers, and shows none."),
        linkField("Link to the assignment", linkTo({ stage: "answer", name: "", values: {}, cuts: [] })));
    }), shown);
  }
  return room;
}
