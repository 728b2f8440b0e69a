import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/diagnostics/index.js";
import { load } from "../../src/load/index.js";
import { buildModel } from "../../src/model/index.js";
import { plan, type ToolPlan } from "../../src/plan/index.js";
import { lockFile } from "../../src/render/lock.js";
import { type Damage, damages, type Json, type Sites } from "./damages.js";
import { root } from "./documents.js";

const examples = join(root, "node_modules/@readme/oas-examples");
const documents = ["3.0/json/star-trek.json", "3.1/json/readme.json", "3.1/json/train-travel.json"];

const workspace = mkdtempSync(join(tmpdir(), "mcp-gen-damage-"));
afterAll(() => rmSync(workspace, { recursive: true }));

/** Rows of the table of results: kind of damage, loss, and the warning. */
const table = new Map<string, string>();
afterAll(() => {
  const rows = [...table].map(([name, row]) => `${name.padEnd(44)} ${row}`);
  process.stdout.write(`${rows.join("\n")}\n`);
});

const methods = ["get", "put", "post", "delete", "patch"];

/**
 * Finds the places to damage, and makes them simple: one media type, an inline schema of the body,
 * and an own list of parameters.
 */
function prepare(document: Json): Sites {
  const paths = document.paths as Record<string, Json>;
  const all = Object.values(paths).flatMap((item) =>
    methods.flatMap((method) =>
      item[method] ? [{ item, method, operation: item[method] as Json }] : [],
    ),
  );
  const resolve = (value: unknown): Json => {
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return value as Json;
    return resolve(
      $ref
        .slice(2)
        .split("/")
        .reduce<unknown>((part, key) => (part as Json)[key], document),
    );
  };
  const contentOf = (holder: unknown): Json =>
    Object.values((resolve(holder).content ?? {}) as Json)[0] as Json;
  const writing = all.find(
    ({ operation }) =>
      operation.requestBody &&
      resolve(contentOf(operation.requestBody).schema ?? {}).properties !== undefined,
  );
  const reading = all.find(
    ({ operation }) =>
      operation !== writing?.operation &&
      Array.isArray(operation.parameters) &&
      contentOf((operation.responses as Json)["200"] ?? {})?.schema !== undefined,
  )?.operation;
  if (!writing || !reading) throw new Error("no operation to damage");
  const body = structuredClone(
    resolve(contentOf(writing.operation.requestBody).schema),
  ) as Sites["body"];
  const media: Json = { schema: body };
  const requestBody: Json = { required: true, content: { "application/json": media } };
  writing.operation.requestBody = requestBody;
  const response = structuredClone(resolve((reading.responses as Json)["200"]));
  (reading.responses as Json)["200"] = response;
  return {
    root: document,
    paths,
    ...writing,
    requestBody,
    media,
    body,
    field: Object.keys(body.properties)[0] ?? "",
    reading,
    parameters: reading.parameters as unknown[],
    response,
    responseMedia: contentOf(response),
  };
}

interface Outcome {
  readonly lock: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/** The tools of the lock as JSON text. */
function lockedTools(planned: ToolPlan | undefined): readonly string[] {
  if (!planned) return [];
  const lock = JSON.parse(lockFile({ ...planned, sharedSchemas: [] }).content) as Json;
  return (lock["tools"] as readonly unknown[]).map((tool) => JSON.stringify(tool));
}

/** The lock entries and the warnings and errors of a document. */
async function run(text: string): Promise<Outcome> {
  const file = join(workspace, "document.json");
  writeFileSync(file, text);
  const loaded = await load(file);
  const { model, diagnostics } = loaded.document
    ? buildModel(loaded.document)
    : { model: undefined, diagnostics: [] };
  const planned = model && plan(model);
  return {
    lock: lockedTools(planned),
    problems: [...loaded.diagnostics, ...diagnostics, ...(planned?.diagnostics ?? [])].filter(
      ({ severity }) => severity !== "info",
    ),
  };
}

describe.each(documents)("%s", (name) => {
  const source = readFileSync(join(examples, name), "utf8");
  const write = (change: Damage["damage"]): string => {
    const document = JSON.parse(source) as Json;
    change(prepare(document));
    return JSON.stringify(document, null, 1);
  };
  /** Outcomes of sound documents, which many kinds of damage have in common. */
  const outcomes = new Map<string, Outcome>();
  const outcomeOf = async (text: string): Promise<Outcome> => {
    const outcome = outcomes.get(text) ?? (await run(text));
    outcomes.set(text, outcome);
    return outcome;
  };
  const key = ({ code, message }: Diagnostic): string => `${code} ${message}`;

  test.each(damages)("$name", async ({ name: kind, lost, sound, damage, rewrite, says }) => {
    const want = await outcomeOf(write(sound));
    const got = await run((rewrite ?? String)(write(damage)));
    const known = new Set(want.problems.map(key));
    const added = got.problems.filter((problem) => !known.has(key(problem)));
    expect(added.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(added[0]?.message).toMatch(says);
    expect(added[0]?.location?.pointer).toBeTruthy();
    expect(got.lock).toEqual(want.lock);
    expect(got.lock.length).toBeGreaterThan(0);
    table.set(kind, `${lost.padEnd(10)} ${added[0]?.message}`);
  });
});
