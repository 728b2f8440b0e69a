import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratch } from "../write/tree.js";
import { chromium, launchBrowser } from "./browser.js";
import { mcpGen } from "./built.js";
import {
  brokenWords,
  displayOf,
  faintTexts,
  focusedText,
  openDetails,
  scrollWidth,
} from "./page-checks.mjs";

const root = join(import.meta.dirname, "../..");
const DOCUMENTS = {
  clinic: join(root, "samples/clinic/openapi.yaml"),
  petstore: join(root, "node_modules/@readme/oas-examples/3.0/json/petstore.json"),
  github: join(root, "node_modules/@octokit/openapi/generated/api.github.com.json"),
};

/** Tools opened for the check of their layout. A giant's other tools look the same. */
const MAX_OPEN = 60;

/** Every document at every width and in both schemes. The giant has one scheme at each width. */
const looks = Object.keys(DOCUMENTS).flatMap((name) =>
  [390, 768, 1280].flatMap((width, i) =>
    (["light", "dark"] as const)
      .filter((_, j) => name !== "github" || j === i % 2)
      .map((colorScheme) => ({ name, width, colorScheme })),
  ),
);

if (!chromium) console.log("Skipped: no Chromium. Install one, or set CHROME_BIN.");

describe.skipIf(!chromium)("the report in a browser", () => {
  const folder = scratch();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    for (const [name, document] of Object.entries(DOCUMENTS)) {
      const { err } = await mcpGen(["report", document, "-o", `${name}.html`], folder);
      if (err !== "") throw new Error(err);
    }
  });
  afterAll(() => browser?.close());

  /** Opens a report, and collects what the browser complains about. */
  async function open(
    name: string,
    { width, colorScheme }: { width: number; colorScheme?: "light" | "dark" },
  ): Promise<{ page: Page; errors: string[] }> {
    const options = { viewport: { width, height: 900 }, ...(colorScheme && { colorScheme }) };
    const page = await browser.newPage(options);
    const errors: string[] = [];
    page.on("console", (message) => errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on(
      "request",
      (request) => request.url().startsWith("file:") || errors.push(request.url()),
    );
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    return { page, errors };
  }

  test.each(looks)("$name at $width px, $colorScheme", async ({ name, ...look }) => {
    const { page, errors } = await open(name, look);
    await page.evaluate(openDetails, MAX_OPEN);
    expect({
      width: await page.evaluate(scrollWidth),
      broken: await page.evaluate(brokenWords),
      faint: await page.evaluate(faintTexts),
    }).toEqual({ width: look.width, broken: [], faint: [] });
    expect(errors).toEqual([]);
    await page.close();
  });

  test.each([
    { width: 390, display: "block" },
    { width: 1280, display: "table-row" },
  ])("rows at $width px are shown as $display", async ({ width, display }) => {
    const { page } = await open("clinic", { width });
    const row = page.locator("#operations tbody tr").first();
    expect(await row.evaluate(displayOf)).toBe(display);
    await page.close();
  });

  test.each([390, 1280])("the keyboard reaches everything at %d px", async (width) => {
    const { page, errors } = await open("clinic", { width });
    const order: string[] = [];
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("Tab");
      order.push(await page.evaluate(focusedText));
    }
    const sections = ["Tools", "Operations", "Budget", "Diagnostics", "Environment"];
    const first = expect.stringMatching(/^find_owners /) as string;
    expect(order).toEqual([...sections, "", "Expand all", first]);
    await page.keyboard.press("/");
    await page.keyboard.type("getpetphoto get");
    expect(await page.locator("#shown").innerText()).toBe(
      "1 of 15 tools, 1 of 19 operations, 0 of 2 diagnostics",
    );
    await page.keyboard.press("Enter");
    expect(await page.evaluate(focusedText)).toContain("get_pet_photo");
    await page.keyboard.press("Enter");
    expect(await page.locator("#tool-get_pet_photo table").first().isVisible()).toBe(true);
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    expect(await page.locator(".tool:visible").count()).toBe(15);
    expect(errors).toEqual([]);
    await page.close();
  });

  test("the search finds operations without a tool, and links open their tool", async () => {
    const { page } = await open("clinic", { width: 390 });
    await page.locator("#filter").fill("listAppointments");
    expect(await page.locator("#operations tbody tr:visible").allInnerTexts()).toEqual([
      expect.stringMatching(/GET \/appointments[^]*deprecated/),
    ]);
    expect(await page.locator(".tool:visible, #tools h3:visible").count()).toBe(0);
    await page.locator("#filter").fill("find_owners");
    await page.locator("#operations a:visible").first().click();
    // The page opens it after the address has changed.
    await page.locator("#tool-find_owners[open]").waitFor();
    expect(await page.locator(".tool[open]").count()).toBe(1);
    await page.close();
  });

  test("the search of a large report finds tools, and every diagnostic is listed once", async () => {
    const { page } = await open("github", { width: 1280 });
    await page.locator("#filter").fill("repos issues comments");
    await expect
      .poll(() => page.locator("#shown").innerText())
      .toMatch(/^\d+ of 1,\d{3} tools, \d+ of 1,\d{3} op/);
    const findings = await page.locator(".diagnostic").allTextContents();
    const places = /[^ ]*api\.github\.com\.json:[^]*/;
    const texts = findings.map((text) => text.replace(places, "").trim());
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
    await page.close();
  });
});
