// `npm run demo`: a document becomes a server, and a client works with it. Only the clinic is a
// mock. The program, the type check, the bundle, HTTP and the official MCP client over stdio are
// real.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { clinicApi } from "./clinic-api.mjs";
import { buildProject, generateProject, loadMock } from "./project.mjs";
import { bold, cyan, dim, expect, fact, green, heading, quote, red, say } from "./screen.mjs";

const document = "samples/clinic/openapi.yaml";
/** A PNG of one transparent pixel. */
const photo =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const textOf = (result) =>
  result.content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");

/** Generates, checks, bundles and starts everything. `closing` collects the clean-up functions. */
async function setUp(closing) {
  heading("An OpenAPI document becomes an MCP server");
  let started = performance.now();
  const project = await generateProject(document);
  closing.push(project.remove);
  fact("generate", `mcp-gen ${document} -o server   ${dim(seconds(started))}`);
  started = performance.now();
  const { server, kilobytes } = await buildProject(project.folder);
  fact(
    "check, build",
    `tsc: no errors; esbuild: dist/server.js, ${kilobytes} kB   ${dim(seconds(started))}`,
  );

  const { startMock } = await loadMock(project.folder);
  const api = JSON.parse(await readFile(join(project.folder, "test/api.json"), "utf8"));
  const mock = await startMock(api, { basePath: "/v1", respond: clinicApi() });
  closing.push(mock.close);
  const client = new Client(
    { name: "demo", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  const env = {
    ...getDefaultEnvironment(),
    MAPLEWOOD_CLINIC_BASE_URL: mock.url,
    MAPLEWOOD_CLINIC_API_KEY: "demo-key",
    LOG_LEVEL: "error",
  };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server], env, stderr: "ignore" }),
  );
  closing.push(() => client.close());
  fact("start", `node dist/server.js, MCP over stdio; a mock of the API at ${mock.url}`);
  return { client, mock };
}

function showTools(tools) {
  heading(
    `What an agent sees: ${tools.length} tools, one for each task and one to read long results`,
  );
  for (const tool of tools)
    fact(cyan(tool.name.padEnd(22)), tool.description.split(/(?<=[.!?])\s/u)[0]);
  expect(
    tools.length === 16 && tools.some(({ name }) => name === "find_pets"),
    "15 tools for the 18 operations that are not deprecated, and read_result",
  );
}

/**
 * A conversation with the server. Each call shows the input, the request and the result.
 */
function conversation({ client, mock }) {
  return async (name, input, aside) => {
    const before = mock.requests.length;
    const result = await client.callTool({ name, arguments: input });
    const shown = Object.fromEntries(
      Object.entries(input).map(([key, value]) => [
        key,
        String(value).length > 60 ? `${String(value).slice(0, 20)}…` : value,
      ]),
    );
    say(`\n${bold("▸")} ${cyan(name)} ${JSON.stringify(shown)}${aside ? dim(`   ${aside}`) : ""}`);
    for (const request of mock.requests.slice(before))
      say(dim(`    ${request.method} ${request.url} → ${request.status}`));
    if (mock.requests.length === before) say(dim("    nothing was sent"));
    expect(
      mock.requests.slice(before).every((r) => r.violations.length === 0),
      "only requests that the document allows",
    );
    return result;
  };
}

async function talk(call) {
  heading("A conversation");
  const owners = await call("find_owners", { q: "brandt" });
  const ada = owners.structuredContent?.items?.[0];
  quote(`${owners.structuredContent?.items?.length} owners; the first is ${ada?.name}, ${ada?.id}`);
  expect(ada?.id === "own_4F7K2M", "Ada Brandt among the owners");

  const wrong = await call(
    "create_pet",
    { ownerId: ada.id, name: "Biscuit", species: "dogs", birthDate: 2021 },
    "two mistakes",
  );
  quote(red(textOf(wrong)));
  expect(
    wrong.isError && /species/u.test(textOf(wrong)) && /dog/u.test(textOf(wrong)),
    "an error that names the input and the right value",
  );

  const created = await call(
    "create_pet",
    { ownerId: ada.id, name: "Biscuit", species: "dog", birthDate: "2021-05-14" },
    "corrected",
  );
  const pet = created.structuredContent;
  quote(`${pet?.id}: ${pet?.name}, ${pet?.species}, ${pet?.status}`);
  expect(!created.isError && pet?.id === "pet_9TX3QA", "a new pet with an ID");

  const uploaded = await call("upload_pet_photo", {
    petId: pet.id,
    photo,
    caption: "Biscuit after the bath",
  });
  quote(`stored as ${uploaded.structuredContent?.contentType}`);
  expect(!uploaded.isError, "the photo is stored");

  const downloaded = await call("get_pet_photo", { petId: pet.id });
  const image = downloaded.content.find((block) => block.type === "image");
  quote(
    `an image block: ${image?.mimeType}, the same ${Buffer.from(image?.data ?? "", "base64").length} bytes that were uploaded`,
  );
  expect(image?.data === photo, "the photo comes back unchanged");

  const gone = await call("delete_pet", { petId: pet.id });
  quote(textOf(gone));
  expect(!gone.isError, "the pet is deleted");

  const unknown = await call("find_pets", { petId: pet.id }, "it is gone");
  quote(red(textOf(unknown)));
  expect(
    unknown.isError && /404/u.test(textOf(unknown)) && /Next:/u.test(textOf(unknown)),
    "an error that says what to do next",
  );
}

const closing = [];
const started = performance.now();
try {
  const running = await setUp(closing);
  showTools((await running.client.listTools()).tools);
  await talk(conversation(running));
  say(
    green(
      `\n✓ All as expected, in ${seconds(started)}. The generated project: npx mcp-gen ${document} -o server`,
    ),
  );
} catch (error) {
  say(red(`\n✗ ${error.stderr || error.stdout || error.message}`));
  process.exitCode = 1;
} finally {
  for (const close of closing.reverse()) await close();
}
