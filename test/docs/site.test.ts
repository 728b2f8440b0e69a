import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deadLinks } from "../../scripts/site/dead-links.mjs";
import { documentsOf, pagePath, sitePages } from "../../scripts/site/pages.mjs";
import { githubSlug } from "../../scripts/site/slug.mjs";
import { chromium, launchBrowser } from "../cli/browser.js";
import { scrollWidth } from "../cli/page-checks.mjs";
import { plant, scratch } from "../write/tree.js";
import { root } from "./snippets.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

test("links to folders and files lead to pages made for them", () => {
  const pages = sitePages(root);
  expect([...pages.keys()]).toEqual(expect.arrayContaining(documentsOf(root).map(pagePath)));
  expect(pages.get("index.md")).toContain("](./samples/index.md)");
  expect(pages.get("docs/templates.md")).toContain("](../samples/branded.md)");
  expect(pages.get("samples/branded.md")).toContain("## mcp-gen.yaml\n\n```yaml\n");
  expect(pages.get("docs/adr.md")).toContain("](./adr/0001-http-client.md)");
});

test("a link to a missing file fails, links in code blocks are not links", () => {
  const folder = scratch();
  const text = "# Page\n\n```md\n[code](missing-in-code.md)\n```\n";
  const names = ["README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY"];
  const documents = [...names, "samples/README", "templates/README", "docs/one"];
  plant(folder, Object.fromEntries(documents.map((name) => [`${name}.md`, text])));
  expect(sitePages(folder).size).toBe(documents.length);
  plant(folder, { "docs/one.md": `${text}[gone](two.md)\n` });
  expect(() => sitePages(folder)).toThrow("docs/one.md: two.md does not exist");
});

test.each([
  ["a.html", []],
  ["b/", []],
  ["/base/b/c", []],
  ["b/c.html#part", []],
  ["#own", []],
  ["https://example.com/x", []],
  ["#other", ["index.html: #other leads nowhere"]],
  ["b/c.html#own", ["index.html: b/c.html#own leads nowhere"]],
  ["gone.html", ["index.html: gone.html leads nowhere"]],
])("a page with a link to %s", (link, dead) => {
  const pages = new Map([
    ["index.html", `<h2 id="own"></h2><a class="x" href="${link}">text</a>`],
    ["a.html", ""],
    ["b/index.html", ""],
    ["b/c.html", '<h2 id="part"></h2>'],
  ]);
  expect(deadLinks(pages, "/base/")).toEqual(dead);
});

test.each([
  ["Logs, metrics and traces", "logs-metrics-and-traces"],
  ["`x-mcp` & more", "x-mcp--more"],
  ["1. HTTP client", "1-http-client"],
])("the heading %j has the anchor of GitHub", (heading, slug) => {
  expect(githubSlug(heading)).toBe(slug);
});

if (!chromium) console.log("Skipped: no Chromium. Install one, or set CHROME_BIN.");

describe("the built site", () => {
  const folder = scratch();
  let server: Server;
  let origin: string;
  let browser: Browser | undefined;

  beforeAll(async () => {
    // Fails on dead links and anchors.
    execFileSync(process.execPath, [join(root, "scripts/site.mjs"), "--out", folder]);
    server = createServer(({ url = "/" }, response) => {
      const { pathname } = new URL(url, "http://localhost");
      const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
      const name = extname(path) === "" ? `${path}.html` : path;
      try {
        const body = readFileSync(join(folder, decodeURIComponent(name)));
        response.setHeader("content-type", TYPES[extname(name)] ?? "application/octet-stream");
        response.end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (chromium) browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  /** Opens a page, and collects what the browser complains about and requests to other hosts. */
  async function open(
    path: string,
    look: { width: number; colorScheme?: "light" | "dark" },
  ): Promise<{ page: Page; errors: string[] }> {
    const page = await browser!.newPage({
      viewport: { width: look.width, height: 900 },
      ...(look.colorScheme && { colorScheme: look.colorScheme }),
    });
    const errors: string[] = [];
    page.on("console", (message) => errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("response", (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
    });
    page.on("request", (request) => request.url().startsWith(origin) || errors.push(request.url()));
    await page.goto(origin + path, { waitUntil: "load", timeout: 120_000 });
    return { page, errors };
  }

  test("every document has a page with its heading", () => {
    for (const path of documentsOf(root)) {
      const html = readFileSync(join(folder, pagePath(path).replace(/md$/, "html")), "utf8");
      const [, heading = ""] = /^# (.*)$/m.exec(readFileSync(join(root, path), "utf8")) ?? [];
      expect(html).toContain(`id="${githubSlug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"))}"`);
    }
  });

  test("braces are shown as the documents have them", () => {
    const html = readFileSync(join(folder, "docs/server.html"), "utf8");
    expect(html).toMatch(/<code>(\{|&#123;){2}1\.id\}\}<\/code>/);
  });

  const looks = ["/", "/docs/server"].flatMap((path) =>
    [390, 768, 1280].flatMap((width) =>
      (["light", "dark"] as const).map((colorScheme) => ({ path, width, colorScheme })),
    ),
  );
  test.skipIf(!chromium).each(looks)(
    "$path at $width px, $colorScheme",
    async ({ path, ...look }) => {
      const { page, errors } = await open(path, look);
      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.locator("html.dark").count()).toBe(look.colorScheme === "dark" ? 1 : 0);
      expect({ width: await page.evaluate(scrollWidth), errors }).toEqual({
        width: look.width,
        errors: [],
      });
      await page.close();
    },
  );

  test.skipIf(!chromium)("the keyboard finds a page with the search", async () => {
    const { page, errors } = await open("/", { width: 1280 });
    const search = page.locator(".VPLocalSearchBox input");
    // A key pressed before the page listens is lost.
    await expect
      .poll(
        async () => {
          if (!(await search.isVisible())) await page.keyboard.press("Control+k");
          return await search.isVisible();
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBe(true);
    await page.keyboard.type("Kubernetes replicas");
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/\w.*\.html$/);
    expect(errors).toEqual([]);
    await page.close();
  });
});
