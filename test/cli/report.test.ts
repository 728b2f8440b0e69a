import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { markup, Markup } from "../../src/render/report/elements.js";
import { nastyTexts } from "../render/hostile-strings.js";
import { plant, scratch, treeOf } from "../write/tree.js";
import { mcpGen } from "./built.js";

const EVIL =
  "</script><script>PWNED()</script><img src=x onerror=PWNED()> \" ' ` ${PWNED()} --> ]]>";
const clinic = join(import.meta.dirname, "../../samples/clinic/openapi.yaml");

/** A document whose every text wants to be markup. */
const evilDocument = JSON.stringify({
  openapi: "3.1.0",
  info: { title: EVIL, version: EVIL, description: nastyTexts.join(" ") },
  tags: [{ name: EVIL, description: EVIL }],
  servers: [{ url: "https://pets.example" }],
  paths: {
    [`/pets/${encodeURIComponent(EVIL)}/{id}`]: {
      get: {
        operationId: EVIL,
        tags: [EVIL],
        summary: EVIL,
        description: EVIL,
        parameters: [
          { name: "id", in: "path", required: true, description: EVIL, schema: { type: "string" } },
          { name: EVIL, in: EVIL },
        ],
        responses: { 200: { description: EVIL } },
      },
    },
    "/old": { get: { operationId: "old", deprecated: true, responses: {} } },
  },
});

async function reportOf(document: string, ...more: string[]): Promise<string> {
  const root = scratch();
  plant(root, { "api.json": document });
  const { code, out, err } = await mcpGen(["report", "api.json", ...more], root);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

test("markup escapes text", () => {
  expect(
    markup`<p title="${"\"'<&>`"}">${[1, "a", markup`<b>${"<"}</b>`]}${undefined}${false}</p>`,
  ).toEqual(new Markup('<p title="&quot;&#39;&lt;&amp;&gt;&#96;">1a<b>&lt;</b></p>'));
});

test("text of a document is never markup", async () => {
  const page = await reportOf(evilDocument);
  const harmless = await reportOf(evilDocument.replaceAll(/<[^>]*>/g, "x"));
  const tags = (html: string): string[] =>
    [...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name ?? "");
  expect([...new Set(tags(page))].sort()).toEqual([...new Set(tags(harmless))].sort());
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/<img|onerror=PWNED\(\)>|<script>PWNED/);
});

test("the page loads no external resources, and its policy allows only its style and script", async () => {
  const page = await reportOf(readFileSync(clinic, "utf8"));
  expect(page).not.toMatch(/<(link|iframe|object|embed|base)\b|@import|url\(|\bsrc=/);
  const sha = (tag: string): string =>
    createHash("sha256")
      .update(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? "")
      .digest("base64");
  expect(/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]).toBe(
    `default-src 'none'; style-src 'sha256-${sha("style")}'; script-src 'sha256-${sha("script")}'; base-uri 'none'; form-action 'none'`,
  );
  const ids = new Set([...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id));
  expect(
    [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id)),
  ).toEqual([]);
});

test("the page opens with the tools; the budget and the suggestions come after them", async () => {
  const page = await reportOf(readFileSync(clinic, "utf8"));
  const sections = [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
  const links = [...page.matchAll(/<a href="#([^"]+)">[A-Z][a-z]+<\/a>/g)].map(([, id]) => id);
  expect(sections).toEqual(["tools", "operations", "budget", "diagnostics", "environment"]);
  expect(links.slice(0, sections.length)).toEqual(sections);
});

test("the page lists operations, token costs and the producers of inputs", async () => {
  const page = await reportOf(readFileSync(clinic, "utf8"));
  expect(page).toMatch(
    /<strong>18<\/strong> <span>operations<\/span> <small>of 19 in the document<\/small>/,
  );
  expect(page).toMatch(
    /<details class="tool" id="tool-find_pets">\n<summary><code>find_pets<\/code>.*<b class="tag">read-only<\/b>.*GET \/(?:<wbr>)?pets.* tokens<\/span><\/summary>/,
  );
  expect(page).toMatch(
    /<tr><td><code>petId<\/code><\/td><td data-label="required">yes<\/td><td .*<\/td><td data-label="producers"><a href="#tool-find_pets">find_pets<\/a>/,
  );
  expect(page).toMatch(
    /<tr class="omitted"><td><code>GET \/<wbr>appointments<\/code><\/td><td data-label="operationId">list<wbr>Appointments<\/td><td data-label="tool">deprecated/,
  );
});

test("--json has the content of the page as data", async () => {
  const data = JSON.parse(await reportOf(readFileSync(clinic, "utf8"), "--json"));
  expect(data).toMatchObject({
    source: "api.json",
    api: { title: "Maplewood Clinic API" },
    budget: { mode: "tools" },
  });
  expect(data.operations).toHaveLength(19);
  const tool = data.tools.find(({ name }: { name: string }) => name === "update_pet");
  expect(tool).toMatchObject({
    toolset: "pets",
    operations: ["PATCH /pets/{petId}"],
    readOnly: false,
    inputs: expect.arrayContaining([
      { name: "petId", required: true, description: expect.any(String), producers: ["find_pets"] },
    ]),
  });
  expect(tool.tokens).toBeGreaterThan(tool.outputTokens);
  expect(
    data.toolsets.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0),
  ).toBe(data.tools.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0));
});

test("-o overwrites only reports, unless --force is given", async () => {
  const root = scratch();
  plant(root, { "mine.html": "<p>mine</p>\n", "here/": "" });
  const write = (file: string, ...more: string[]) =>
    mcpGen(["report", clinic, "-o", file, ...more], root);
  expect(await write("r.html")).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/^Wrote r\.html: 19 operations, 15 tools, about \d+ tokens/),
  });
  const page = treeOf(root)["r.html"];
  expect((await write("r.html")).code).toBe(0);
  expect(treeOf(root)["r.html"]).toBe(page);

  const refused = await write("mine.html");
  expect(refused).toMatchObject({ code: 4, out: "" });
  expect(refused.err).toMatch(
    /^error: mine\.html exists and is not a report\. Nothing was written\..*--force/,
  );
  expect(await write("here")).toMatchObject({
    code: 4,
    err: expect.stringMatching(/here is a folder/),
  });
  expect(await write("no/where.html")).toMatchObject({ code: 4 });
  expect(treeOf(root)["mine.html"]).toBe("<p>mine</p>\n");
  expect((await write("mine.html", "--force")).code).toBe(0);
});

test("an invalid document has no report", async () => {
  const root = scratch();
  plant(root, { "a.yaml": "openapi: 3.1.0\ninfo: {}\n" });
  const { code, out, err } = await mcpGen(["report", "a.yaml", "-o", "r.html"], root);
  expect({ code, out }).toEqual({ code: 3, out: "" });
  expect(err).toMatch(/^error: a\.yaml/);
  expect(Object.keys(treeOf(root))).toEqual(["a.yaml"]);
});
