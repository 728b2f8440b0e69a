/**
 * Every key of `mcp-gen.schema.json`: a configuration has it, `plan` carries it over, a typo in it
 * is an error that names it, and the documents describe it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { mcpGen } from "../cli/built.js";
import { plant, scratch } from "../write/tree.js";
import { FILES, FORMS, FULL } from "./full-configurations.js";
import { schemaKeys as keys } from "./schema-keys.js";

/** Keys that no rule above can have, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  apis: "in place of `spec`; its keys are those of the top level",
  ...Object.fromEntries(
    ["links", "links[].input", "links[].from", "links[].match"].map((key) => [
      key,
      "beside `apis`: test/apis/plan.test.ts",
    ]),
  ),
};

const keysInUse = (value: unknown, path: string, keys: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) keysInUse(item, `${path}[]`, keys);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const own = path === "" ? name : `${path}.${name}`;
      for (const known of [own, `${path}.*`]) {
        keys.add(known);
        keysInUse(member, known, keys);
      }
    }
};

interface Configured {
  readonly tools: object;
}

/** The configuration that `plan` writes for a folder with another one. */
async function proposalOf(configuration: object): Promise<string> {
  const root = scratch();
  plant(root, {
    ...FILES,
    "mcp-gen.yaml": stringify(configuration),
  });
  const { out, err } = await mcpGen(["plan"], root);
  if (err !== "") throw new Error(err);
  return out;
}

describe("every key of the schema", () => {
  test("is in the configuration of this test", () => {
    const inUse = new Set<string>();
    keysInUse(FULL, "", inUse);
    expect(keys.filter((key) => !inUse.has(key) && !(key in ELSEWHERE))).toEqual([]);
  });

  test.each<readonly [string, Configured]>([
    ["all keys", FULL],
    ["other forms of values", FORMS],
  ])("is carried over by plan, with its value: %s", async (_, configuration) => {
    const { tools, ...head } = parse(await proposalOf(configuration)) as Configured;
    const { tools: given, ...givenHead } = configuration;
    expect(head).toEqual(givenHead);
    expect(tools).toMatchObject(given);
  });

  test("is described in the documents", () => {
    const reference = readFileSync("docs/configuration-reference.md", "utf8");
    const unknown = keys.filter((key) => !reference.includes(`| \`${key}\` |`));
    expect(unknown).toEqual([]);
    const names = new Set(keys.map((key) => key.split(".").at(-1)!));
    const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
    const texts = pages
      .filter((name) => !name.includes("reference"))
      .map((name) => readFileSync(join("docs", name), "utf8"))
      .join("\n");
    expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(texts))).toEqual([]);
  });
});

type Path = readonly (string | number)[];

/** Paths of the keys that the schema names, in the configuration. */
function* namedKeys(value: unknown, path: Path): Generator<Path> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const own = [...path, Array.isArray(value) ? Number(name) : name];
    if (!Array.isArray(value) && namesKeys(path)) yield own;
    yield* namedKeys(member, own);
  }
}

/** False for an object whose keys are names that the owner chooses. */
function namesKeys(path: Path): boolean {
  const [last, ...before] = path.toReversed();
  const isMap =
    /^(tools|parameters|errors|packages|headers|merge|inputs|rename|call)$/.test(String(last)) &&
    before[0] !== "budget";
  return !isMap && last !== "annotations";
}

describe("a typo in a key is an error that suggests the key", () => {
  const rows = [...namedKeys(FULL, [])].map((path) => [path.join(" "), path] as const);
  test.each(rows)("%s", (_, path) => {
    const wrong = structuredClone(FULL) as unknown as Record<string, unknown>;
    const name = String(path.at(-1));
    const owner = path
      .slice(0, -1)
      .reduce<Record<string, unknown>>(
        (node, step) => node[step] as Record<string, unknown>,
        wrong,
      );
    owner[`${name}x`] = owner[name];
    delete owner[name];
    const { content, diagnostics } = parseConfiguration(stringify(wrong), "mcp-gen.yaml");
    expect(content).toBeUndefined();
    const messages = diagnostics.map(({ message, hint = "" }) => `${message} ${hint}`).join("\n");
    expect(messages).toContain(`${name}x`);
    expect(messages).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

/** The object that has a key. */
function ownerOf(configuration: object, path: Path): Record<string, unknown> {
  return path
    .slice(0, -1)
    .reduce<unknown>(
      (node, step) => (node as Record<string | number, unknown>)[step],
      configuration,
    ) as Record<string, unknown>;
}

/** Paths of FULL by the key of the schema. */
const rows = [...namedKeys(FULL, [])].map((path) => [path.join(" "), path] as const);

/** Places for keys of other places: one of each kind of object, and its keys. */
const PLACES: readonly (readonly [place: readonly string[], keysAt: string])[] = [
  [[], ""],
  [["server"], "server."],
  [["budget"], "budget."],
  [["select"], "select."],
  [["tools", "a"], "tools.*."],
  [["tools", "a", "output"], "tools.*.output."],
  [["tools", "a", "inputs", "b"], "tools.*.inputs.*."],
];

const nested = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object;

describe("a key in a wrong place is one error at its line that names the right one", () => {
  const names = [...new Set(keys.map((key) => key.split(".").at(-1)!))].filter(
    (name) => name !== "*" && !name.endsWith("[]"),
  );
  const rowsOf = names.flatMap((name) =>
    PLACES.filter(([, at]) => !keys.includes(`${at}${name}`)).map(([place]) => [name, place]),
  ) as readonly (readonly [string, readonly string[]])[];
  test("is a row for every key", () => {
    expect(new Set(rowsOf.map(([name]) => name)).size).toBe(names.length);
  });

  test.each(names)("%s", (name) => {
    for (const [, place] of rowsOf.filter(([other]) => other === name)) {
      const path = [...place, name];
      const wrong = stringify({ version: 1, ...nested(path, true) });
      const { content, diagnostics, locationOf } = parseConfiguration(wrong, "mcp-gen.yaml");
      const [found, ...others] = diagnostics;
      expect([content, others], wrong).toEqual([undefined, []]);
      expect(found).toMatchObject({ code: "config-unknown-key", location: locationOf(path) });
      const says = `${found?.message} ${found?.hint}`;
      const [, named] = /its place is `([^`]+)`/.exec(says) ?? [];
      if (named !== undefined) expect(named.split(".").at(-1)).toBe(name);
      else expect(says).toMatch(/its place is the top level|did you mean \w+\?|rename the key/);
    }
  });
});

describe("a value of another type is one error at its line that says what it must be", () => {
  // Constants and defaults may have any type.
  const typed = rows.filter(([, path]) => !["fixed", "default"].includes(String(path.at(-1))));
  test.each(typed)("%s", (_, path) => {
    const [top, name] = path as [string, string];
    const { version, tools, ...others } = structuredClone(FULL) as Record<string, unknown>;
    const part =
      top === "tools" ? { [name]: (tools as Record<string, unknown>)[name] } : others[top];
    const wrong = { version, [top]: part };
    ownerOf(wrong, path)[path.at(-1)!] = 3.5;
    const { content, diagnostics, locationOf } = parseConfiguration(stringify(wrong), "f.yaml");
    const [found, ...more] = diagnostics;
    expect([content, more]).toEqual([undefined, []]);
    expect(found).toMatchObject({ location: locationOf(path) });
    expect(found?.message).toMatch(/ is not valid: it is 3\.5, and must be /);
  });
});
