import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load as parseYaml } from "js-yaml";
import { afterAll, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import type { GeneratedFile } from "../../src/index.js";
import { typeErrors } from "./type-check.js";

/**
 * Documents with one or two replaced values are rejected with a location, or compile to code that
 * type-checks. They never cause an exception.
 */
const temp = mkdtempSync(join(tmpdir(), "mcp-gen-mutations-"));
afterAll(() => rmSync(temp, { recursive: true, force: true }));

const values: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  "",
  "$",
  "{$",
  "a b",
  "$5",
  "$steps.",
  "$steps.hold.outputs.holdId",
  "$steps.x.outputs.y",
  "$outputs.x",
  "$response.body#/",
  "$response.header.X",
  "$request.body",
  "$self",
  "$inputs",
  "$inputs.customer.a.0",
  "{$inputs.a}{$inputs.b}",
  "$workflows.find-seats.outputs.show",
  "$components.parameters.x",
  "$sourceDescriptions.till.url",
  "__proto__",
  "constructor",
  "goto",
  "retry",
  "end",
  [],
  {},
  [[]],
  { a: 1 },
  ["$inputs.x", { y: "{$inputs.z}" }],
  { reference: "$components.failureActions.tryAgain" },
  { context: "$response.body", selector: "$..*", type: "jsonpath" },
  { context: "$inputs", selector: "/a/b", type: "jsonpointer" },
  [{ name: "r", type: "retry", stepId: "hold" }],
  [{ condition: "$outputs.x == 1 || !$inputs.y && $response.body#/a/b > $inputs.z.q" }],
];

/** A deterministic pseudorandom sequence. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    yield state / 0x7fffffff;
  }
}
const random = numbers(11);
const one = <Item>(all: readonly Item[]): Item =>
  all[Math.floor(random.next().value * all.length)] as Item;

type Holder = Record<string, unknown>;
/** Every location of a document: its container and key. */
function locationsIn(value: unknown): readonly (readonly [Holder, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => [
    [value as Holder, key] as const,
    ...locationsIn((value as Holder)[key]),
  ]);
}

function mutated(text: string): unknown {
  const document = parseYaml(text);
  for (let n = random.next().value < 0.5 ? 1 : 2; n > 0; n--) {
    const [holder, key] = one(locationsIn(document));
    const kind = random.next().value;
    if (kind < 0.2) delete holder[key];
    else
      holder[key] = structuredClone(
        kind < 0.4
          ? one(locationsIn(document)).reduce<unknown>(
              (found, part) => (typeof part === "string" ? (found as Holder)[part] : part),
              undefined,
            )
          : one(values),
      );
  }
  return document;
}

test("mutated documents never crash the generator", async () => {
  const text = readFileSync("samples/tickets/tasks.arazzo.yaml", "utf8")
    .replace("./openapi.yaml", "./openapi.json")
    .replace("./payments.yaml", "./payments.json");
  for (const name of ["openapi", "payments"])
    writeFileSync(
      join(temp, `${name}.json`),
      JSON.stringify(parseYaml(readFileSync(`samples/tickets/${name}.yaml`, "utf8"))),
    );
  const compiled: (readonly GeneratedFile[])[] = [];
  for (let n = 0; n < 120; n++) {
    writeFileSync(join(temp, "tasks.json"), JSON.stringify(mutated(text)));
    const {
      ok,
      diagnostics,
      files = [],
    } = await generate(join(temp, "openapi.json"), undefined, {
      workflows: [join(temp, "tasks.json")],
    });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.length > 0, readFileSync(join(temp, "tasks.json"), "utf8")).toBe(!ok);
    for (const { location, message } of errors)
      expect(location, message).toMatchObject({ line: expect.any(Number) as number });
    if (ok) compiled.push(files.filter(({ path }) => !/^src\/tools\/(?!workflows\/)/.test(path)));
  }
  expect(compiled.length).toBeGreaterThan(5);
  expect(await typeErrors(join(temp, "all"), compiled)).toBe("");
});
