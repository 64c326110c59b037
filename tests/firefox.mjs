/**
 * A shorter run of the page in Firefox, by Puppeteer over WebDriver BiDi: `node firefox.mjs FOLDER FIREFOX ADDRESS`,
 * where FOLDER has puppeteer-core in it. Each part prints its name when it is done; what went wrong ends the program.
 */

import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [folder, executablePath, address] = process.argv.slice(2);
const puppeteer = createRequire(join(folder, "here.js"))("puppeteer-core");
const PATIENCE = 30_000;
const profile = mkdtempSync(join(tmpdir(), "plies-firefox-"));
const browser = await puppeteer.launch({
  browser: "firefox", executablePath, headless: true, userDataDir: profile, protocolTimeout: 4 * PATIENCE,
  extraPrefsFirefox: { "ui.prefersReducedMotion": 1 },
});
const page = await browser.newPage();
page.setDefaultTimeout(PATIENCE);
await page.setViewport({ width: 1100, height: 800 });
const errors = [];
page.on("pageerror", (error) => errors.push(error.message));
page.on("console", (said) => ["error", "assert"].includes(said.type()) && errors.push(said.text()));

function check(holds, words) {
  if (!holds) throw new Error(words);
}

function until(condition, ...given) {
  return page.waitForFunction(condition, { polling: 50 }, ...given).catch((error) => {
    throw new Error(`${error.message}: ${condition} ${given.join(" ")}`);
  });
}

const status = (words) => until((wanted) => document.getElementById("status").textContent.includes(wanted), words);
const ready = () => until(() => document.querySelector("#board:not([aria-busy]) svg"));
const moves = () => page.$$eval("#moves button", (all) => all.map((one) => one.textContent));

async function middle(cell) {
  await ready();
  return page.$eval(`#board [data-cell="${cell}"]`, (found) => {
    found.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
}

async function click(cell) {
  await page.mouse.click(...await middle(cell));
}

async function drag(from, to) {
  await page.mouse.move(...await middle(from));
  await page.mouse.down();
  await page.mouse.move(...await middle(to), { steps: 4 });
  await page.mouse.up();
}

async function press(...keys) {
  for (const key of keys) {
    await ready();
    await page.keyboard.press(key);
  }
}

/** Type a move into its field, to which "m" leads from anywhere. */
async function type(move) {
  await press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await press("m");
  await page.keyboard.type(move);
  await page.keyboard.press("Enter");
}

/** Another address; one that differs only after "#" is loaded, too. */
async function open(path) {
  await page.goto("about:blank");
  await page.goto(`${address}${path}`);
}

const PARTS = {
  async "front door"() {
    await open("");
    await until(() => [...document.querySelectorAll("#gallery .picture")].every((one) => one.firstChild));
    check((await page.$$("#gallery .tile")).length >= 20, "there are games missing at the front door");
    const drawn = await page.$$eval("#gallery svg", (all) => all.every((svg) => svg.getBoundingClientRect().height > 20));
    check(drawn, "a board at the front door has no height");
    await page.click('#gallery a[href*="tic-tac-toe"]');
    await status("X to move.");
  },

  async "tic-tac-toe against the engine, by mouse and back"() {
    await click("5");
    await until(() => document.querySelectorAll("#moves button").length === 2);
    await status("X to move.");
    await page.click("#undo");
    await until(() => document.querySelector("#board svg") && document.getElementById("undo").disabled);
    await press("ArrowRight");
    await status("X: 5.");
    await page.reload();
    await status("X: 5.");
  },

  async "chess by clicking, dragging and typing"() {
    await open("#game=chess&players=human%3Bhuman");
    await status("White to move.");
    await click("f2");
    await click("f3");
    await status("White: f3.");
    await drag("e7", "e5");
    await status("Black: e5.");
    await type("g4");
    await status("White: g4.");
    await drag("d8", "h4");
    await status("Black: Qh4#.");
    await status("heckmate");
    await until(() => !document.getElementById("ending").hidden);
    check((await moves()).join(" ") === "f3 e5 g4 Qh4#", `the moves are ${await moves()}`);
  },

  async "Connect Four by keyboard"() {
    await open("#game=connect-four&p.width=4&p.height=4&players=human%3Bhuman");
    await status("Red to move.");
    await page.evaluate(() => document.activeElement.blur());
    await press("b", "ArrowRight", "Enter");
    await until(() => document.querySelectorAll("#moves button").length === 1);
    await press("ArrowRight", "Enter");
    await until(() => document.querySelectorAll("#moves button").length === 2);
    check(await page.$eval("#board", (board) => board === document.activeElement), "the board has lost the focus");
    const [first, second] = await moves();
    check(first !== second, "the cursor has not moved");
  },

  async analysis() {
    await open("#game=tic-tac-toe&moves=1;5;9&mode=analyse");
    await until(() => document.getElementById("verdict").textContent.includes("draw"));
    await until(() => document.querySelectorAll("#board .overlay .badge").length > 0);
    check((await page.$$("#scores > *")).length >= 6, "there is a move without a score");
    await press("ArrowLeft");
    await status("O: 5.");
  },

  async "the same tree in Learn"() {
    const href = await page.$eval("#on-learn", (link) => link.href);
    check(href.includes("/learn#"), `the link leads to ${href}`);
    await page.goto(href);
    await until(() => document.querySelector("#stage .steps-tree svg"));
  },

  async "steps of a tree"() {
    await open("learn");
    await until(() => document.querySelector("#stage .steps-tree svg"));
    const said = () => page.$eval(".steps-say", (words) => words.textContent);
    const before = await said();
    await page.keyboard.press("ArrowRight");
    await until((words) => document.querySelector(".steps-say").textContent !== words, before);
    await page.keyboard.press("End");
    await until(() => /^(\d+) \/ \1$/.test(document.querySelector(".steps-count").textContent));
    await page.keyboard.press("2");
    await until(() => document.getElementById("tab-practice").getAttribute("aria-selected") === "true");
  },
};

let code = 0;
try {
  for (const [name, run] of Object.entries(PARTS)) {
    try {
      await run();
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
    console.log(name);
  }
  check(errors.length === 0, `the console says: ${errors.join("; ")}`);
} catch (error) {
  console.error([error.message, ...errors].join("\n"));
  if (process.env.PLIES_SCREENSHOT) await page.screenshot({ path: process.env.PLIES_SCREENSHOT });
  code = 1;
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(code);
