import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { chromium, launchBrowser } from "./browser.js";
import { cli } from "./built.js";
import { brokenWords, faintTexts, focusedText, scrollWidth } from "./page-checks.mjs";

const PETS = `openapi: 3.1.0
info: {title: "Pets <img src=x onerror=alert(1)>", version: '1'}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Pet: {type: object, properties: {id: {type: string}, name: {type: string}}}
security: [{key: []}]
paths:
  /pets:
    get:
      operationId: listPets
      description: "List pets. <script>alert(1)</script>"
      parameters:
        - {name: status, in: query, schema: {type: string, enum: [sold, free]}}
        - {name: limit, in: query, description: "How many <b>at most</b>", schema: {type: integer, minimum: 1}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
        - {name: vaccinated, in: query, schema: {type: boolean}}
      responses: {'200': {description: Pets, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}
    post:
      operationId: createPet
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, owner: {type: object, properties: {email: {type: string}}}}}}}
      responses: {'201': {description: Created, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
  /forms:
    post:
      operationId: saveForm
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                nick: {type: [string, 'null']}
                weight: {anyOf: [{type: number}, {type: 'null'}]}
                code: {anyOf: [{type: string}, {type: integer}]}
                labels: {anyOf: [{type: string}, {type: array, items: {type: string}}]}
                kind: {anyOf: [{type: string, enum: [cat, dog]}, {type: 'null'}]}
                size: {anyOf: [{type: integer}, {type: object}]}
      responses: {'204': {description: Sent}}
`;

/** The API. It records the requests that it gets. */
const requests: string[] = [];
const upstream = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    requests.push(`${request.method} ${request.url} ${body}`.trim());
    response.setHeader("content-type", "application/json");
    const pet = { id: "p1", name: "Rex <i>the dog</i>" };
    response
      .writeHead(request.method === "POST" ? 201 : 200)
      .end(JSON.stringify(request.method === "POST" ? pet : [pet]));
  });
});

const root = scratch();
let child: ChildProcess;
let url = "";
const origin = (): string => new URL(url).origin;

async function start(): Promise<void> {
  const api = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  child = spawn(process.execPath, [cli, "serve", "pets.yaml", "--ui", "--base-url", api], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", TMPDIR: join(root, "tmp") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (/^Open .*\n/m.test(text)) break;
  }
  [, url = ""] = /^Open (\S+)$/m.exec(text) ?? [];
}

beforeAll(async () => {
  plant(root, { "pets.yaml": PETS, ".env": "PETS_IMG_SRC_X_ONERROR_API_KEY=k\n", "tmp/": "" });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  await start();
});
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  upstream.close();
});

/** Sends a request as the page does, or with other headers. */
async function post(path: string, secret: string, headers: Record<string, string> = {}) {
  const response = await fetch(origin() + path, {
    method: "POST",
    headers: {
      origin: origin(),
      "content-type": "application/json",
      authorization: `Bearer ${secret}`,
      ...headers,
    },
    body: "{}",
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test.each([
  ["without the token", "/tools", "", {}, 401],
  ["with a wrong token", "/session", "x".repeat(32), {}, 401],
  ["of another site", "/tools", "", { origin: "https://evil.example" }, 403],
  ["of a form", "/tools", "", { "content-type": "text/plain" }, 405],
])("requests %s are refused", async (_, path, secret, headers, status) => {
  expect((await post(path, secret, headers)).status).toBe(status);
});

test("the token is not a key, and a host name that leads here is refused", async () => {
  expect((await post("/tools", new URL(url).hash.slice(1))).status).toBe(401);
  const { get } = await import("node:http");
  const status = await new Promise((resolve) => {
    get(origin(), { headers: { host: "rebound.example" } }, ({ statusCode }) =>
      resolve(statusCode),
    );
  });
  expect(status).toBe(403);
});

test("the page has no text of the document, and a policy that permits its own files only", async () => {
  const response = await fetch(origin());
  expect(await response.text()).not.toMatch(/Pets|onerror/);
  expect(response.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; script-src 'self';/,
  );
});

if (!chromium) console.log("Skipped: no Chromium. Install one, or set CHROME_BIN.");

describe.skipIf(!chromium)("the page in a browser", () => {
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("console", (message) => errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on(
      "request",
      (request) =>
        request.url().startsWith(origin()) ||
        request.url() === "data:," ||
        errors.push(request.url()),
    );
    await page.goto(url);
    await page.locator("#tools button").first().waitFor({ timeout: 60_000 });
  });
  afterAll(() => browser?.close());

  test("texts of the document are texts", async () => {
    expect(await page.locator("h1").innerText()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator("#tools button").allInnerTexts()).toEqual([
      "list_pets",
      "create_pet",
      "save_form",
      "read_result",
    ]);
    expect(page.url()).toBe(`${origin()}/`);
    expect(await page.locator("img").count()).toBe(0);
  });

  test("a read: its form, its request and its result", async () => {
    await page.getByRole("button", { name: "list_pets" }).click();
    await page.getByLabel("status").selectOption({ label: "sold" });
    await page.getByLabel("limit").fill("2");
    await page.getByLabel("vaccinated").selectOption({ label: "true" });
    await page.getByLabel("tags").fill("old\ncalm");
    const before = requests.length;
    await page.getByRole("button", { name: "Show the request" }).click();
    const request = page.locator("pre").last();
    await expect.poll(() => request.innerText(), { timeout: 60_000 }).toMatch(/^GET http/);
    expect(await request.innerText()).toMatch(/status=sold/);
    expect(await request.innerText()).toMatch(/X-Key: \[redacted\]/i);
    expect(requests.length).toBe(before);
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => requests.length).toBe(before + 1);
    const path = (requests.at(-1) ?? "").replace(/\?.*/, "");
    const query = new URL((requests.at(-1) ?? "").split(" ")[1] ?? "", "http://x").searchParams;
    expect([
      path,
      query.get("status"),
      query.get("limit"),
      query.get("vaccinated"),
      query.getAll("tags"),
    ]).toEqual(["GET /pets", "sold", "2", "true", ["old", "calm"]]);
    await expect.poll(() => page.locator("main").innerText()).toContain("Rex <i>the dog</i>");
  });

  test("a write is sent once its request was shown, and only as it was shown", async () => {
    await page.getByRole("button", { name: "create_pet" }).click();
    const send = page.getByRole("button", { name: "Send" });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel("name").fill("Rex");
    await page.getByLabel("owner").fill('{"email": "a@b.example"}');
    const before = requests.length;
    await page.getByRole("button", { name: "Show the request" }).click();
    await expect.poll(() => send.isEnabled()).toBe(true);
    expect(await page.locator("pre").last().innerText()).toMatch(/^POST [^]*a@b\.example/);
    await page.getByLabel("name").fill("Max");
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Show the request" }).click();
    await expect.poll(() => send.isEnabled()).toBe(true);
    expect(requests.length).toBe(before);
    await send.click();
    await expect
      .poll(() => requests.slice(before))
      .toEqual(['POST /pets {"name":"Max","owner":{"email":"a@b.example"}}']);
    await expect.poll(() => page.locator("main h3").allInnerTexts()).toEqual(["Result"]);
    expect(await send.isDisabled()).toBe(true);
  });

  test("values of several kinds, and null, have a field without quotes", async () => {
    await page.getByRole("button", { name: "save_form" }).click();
    const body = async (fields: Record<string, string>): Promise<unknown> => {
      for (const [name, text] of Object.entries(fields)) {
        const field = page.getByLabel(name, { exact: true });
        if (name === "kind") await field.selectOption({ label: text });
        else await field.fill(text);
      }
      await page.getByRole("button", { name: "Show the request" }).click();
      const request = page.locator("pre").last();
      await expect.poll(() => request.innerText()).toMatch(/^POST /);
      return JSON.parse((await request.innerText()).replace(/^[^]*?\n\n/, ""));
    };
    expect(
      await body({ nick: "Max", weight: "1.5", code: "a7", labels: "x", kind: "dog" }),
    ).toEqual({ nick: "Max", weight: 1.5, code: "a7", labels: "x", kind: "dog" });
    await page.getByRole("button", { name: "save_form" }).click();
    const given = { nick: "null", weight: "null", labels: "x\ny", kind: "null", size: '{"a": 1}' };
    expect(await body(given)).toEqual({
      nick: null,
      weight: null,
      labels: ["x", "y"],
      kind: null,
      size: { a: 1 },
    });
  });

  test("invalid input is explained, and nothing is sent", async () => {
    const before = requests.length;
    await page.getByRole("button", { name: "list_pets" }).click();
    await page.getByLabel("limit").fill("many");
    await page.getByRole("button", { name: "Show the request" }).click();
    await expect.poll(() => page.locator("main pre").last().innerText()).toContain("limit");
    expect(await page.locator("main h3").last().innerText()).toBe("Not sent");
    expect(requests.length).toBe(before);
  });

  test.each(
    [390, 768, 1280].flatMap((width) =>
      (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
    ),
  )("at $width px, $colorScheme", async ({ width, colorScheme }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect({
      width: await page.evaluate(scrollWidth),
      broken: await page.evaluate(brokenWords),
      faint: await page.evaluate(faintTexts),
    }).toEqual({ width, broken: [], faint: [] });
    const folder = process.env["PICTURES"];
    if (folder) await page.screenshot({ path: join(folder, `ui-${width}-${colorScheme}.png`) });
  });

  test("the keyboard alone finds a tool, fills its form and sends", async () => {
    await page.reload();
    await page.locator("#tools button").first().waitFor();
    const before = requests.length;
    await page.keyboard.press("/");
    await page.keyboard.type("list");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("3");
    await page.keyboard.press("Enter");
    await expect.poll(() => requests.slice(before)).toEqual(["GET /pets?limit=3"]);
    expect(await page.evaluate(focusedText)).toBe("");
  });

  test("the address does not open a second page, and the browser has complained about nothing", async () => {
    expect(errors).toEqual([]);
    const other = await browser.newPage();
    await other.goto(url);
    await expect.poll(() => other.locator("#status").innerText()).toContain("was used already");
    await other.close();
  });
});

test("a signal ends the page, and nothing is left behind", async () => {
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number | null];
  expect(code).toBe(0);
  expect(readdirSync(join(root, "tmp"))).toEqual([]);
});
