/** Hints in stages: first where to look, then the move, then how it may go on. */

const $ = (id) => document.getElementById(id);
const SECONDS = 1;

export class Hints {
  constructor(page) {
    this.page = page;
    this.forget();
  }

  /** What was told belongs to another position. */
  forget() {
    this.stage = 0;
    this.info = null;
  }

  /** Tell a little more. */
  async more() {
    const { page } = this;
    if (!this.info) {
      const node = page.game.at;
      page.thinking("looking for a hint …");
      try {
        const answer = page.analysis.info ? { done: page.analysis.info } : await page.connection.search(
          { do: "analyse", ...page.game.place(), seconds: SECONDS },
          ({ note }) => note && page.thinking(`${note} …`),
        );
        if (page.game.at !== node) return;
        this.info = answer.done;
      } catch (error) {
        if (error.message) page.problem(error.message);
        return;
      } finally {
        page.thinking("");
      }
    }
    this.stage = Math.min(3, this.stage + 1);
    this.tell();
  }

  tell() {
    const { board } = this.page;
    const { move, lines } = this.info;
    const squares = board.view.legal.find((one) => one.move === move)?.squares ?? [];
    if (this.stage === 1 && squares.length > 1) {
      board.setHint(squares.slice(0, 1));
      this.say(`Look at ${squares[0]}. Ask again for the move.`);
    } else if (this.stage === 1 && squares.length === 1 && board.cells.has(squares[0])) {
      const area = this.area(squares[0]);
      board.setHint(area.cells);
      this.say(`Look ${area.words}. Ask again for the move.`);
    } else if (this.stage <= 2) {
      this.stage = 2;
      board.setHint(squares);
      this.say(`${move} looks best. Ask again for how it may go on.`);
    } else this.say(`It may go on ${(lines[0] ?? [move]).join(" ")}.`);
  }

  /** The third of the board, across and down, that a cell lies in: its name and its cells. */
  area(cell) {
    const { board } = this.page;
    const centres = [...board.cells.keys()].map((name) => ({ name, ...board.centre(name) }));
    const third = (at, key) => {
      const all = centres.map((one) => one[key]);
      const [low, high] = [Math.min(...all), Math.max(...all)];
      return high - low < 1 ? 1 : Math.min(2, Math.floor((3 * (at[key] - low)) / (high - low)));
    };
    const here = centres.find((one) => one.name === cell);
    const [column, row] = [third(here, "x"), third(here, "y")];
    const words = [["in the upper part", "in the middle", "in the lower part"][row], ["on the left", "", "on the right"][column]];
    const inside = centres.filter((one) => third(one, "x") === column && (third(one, "y") === row));
    if (inside.length < 2) { // on a small board, a whole column of thirds
      return { words: words[1] || "at the middle columns", cells: centres.filter((one) => third(one, "x") === column).map((one) => one.name) };
    }
    return { words: words.filter(Boolean).join(" "), cells: inside.map((one) => one.name) };
  }

  say(words) {
    $("status").textContent = words;
  }
}
