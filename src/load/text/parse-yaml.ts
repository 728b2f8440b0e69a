import type { Schema, YAMLException } from "js-yaml";
import { quoteText, type SourceLocation } from "../../diagnostics/index.js";
import { limits } from "../limits.js";
import { failure, type Outcome, success } from "../types.js";
import type { TextPosition } from "./position.js";

type JsYaml = typeof import("js-yaml");

/** Parsed YAML, with the keys that occur twice in an object. */
interface ParsedYaml {
  readonly root: unknown;
  readonly duplicates: readonly DuplicateYamlKey[];
}

/**
 * Parses YAML 1.2 text (core schema: dates and `yes` are strings) with merge keys, within the
 * limits. Aliases share one object; `measureGraph` measures their expansion. Of duplicate keys the
 * last one counts, as in JSON.
 * @param text without byte order mark
 */
export async function parseYaml(text: string, file: string): Promise<Outcome<ParsedYaml>> {
  const yaml = (await import("js-yaml")) as JsYaml & { readonly default?: JsYaml };
  const js = yaml.default ?? yaml;
  const parsed = await parseDocuments(js, text, file, false);
  if (!parsed.problem) return success({ root: parsed.value, duplicates: [] });
  if (parsed.problem.code !== "load-duplicate-key") return parsed;
  const tolerant = await parseDocuments(js, text, file, true);
  if (tolerant.problem) return tolerant;
  return success({ root: tolerant.value, duplicates: await findDuplicateYamlKeys(text) });
}

async function parseDocuments(
  js: JsYaml,
  text: string,
  file: string,
  allowDuplicates: boolean,
): Promise<Outcome<unknown>> {
  const options = {
    schema: coreSchema(js),
    maxDepth: limits.depth,
    maxTotalMergeKeys: limits.expanded,
    json: allowDuplicates,
  };
  try {
    const documents = js.loadAll(text, null, options).filter((value) => value !== undefined);
    while (documents.length > 1 && documents.at(-1) === null) documents.pop(); // `---` or `...` at the end
    if (documents.length > 1) return severalDocuments(text, documents.length, file);
    return success(documents[0] ?? null);
  } catch (error) {
    return await syntaxProblem(text, error as YAMLException, file);
  }
}

let schema: Schema | undefined;

/** js-yaml's core schema without binary and infinite numbers, which JSON does not have. */
function coreSchema(js: JsYaml): Schema {
  if (schema) return schema;
  const integer = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
  const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
  const number = (tag: string, pattern: RegExp): InstanceType<JsYaml["Type"]> =>
    new js.Type(tag, {
      kind: "scalar",
      resolve: (text: unknown) =>
        typeof text === "string" &&
        startsNumber.test(text) &&
        pattern.test(text) &&
        Number.isFinite(Number(text)),
      construct: (text: string) => Number(text),
    });
  const merge = new js.Type("tag:yaml.org,2002:merge", {
    kind: "scalar",
    resolve: (text: unknown) => text === "<<",
  });
  schema = js.CORE_SCHEMA.extend({
    implicit: [
      number("tag:yaml.org,2002:int", integer),
      number("tag:yaml.org,2002:float", float),
      merge,
    ],
  });
  return schema;
}

const startsNumber = /^[-+.0-9]/;

function severalDocuments(text: string, count: number, file: string): Outcome<never> {
  const lines = text.split("\n");
  const content = lines.findIndex((line) => /^(?!---|%|\s*(?:#|$))/.test(line));
  const line = lines.findIndex((mark, index) => index > content && /^---(?:\s|$)/.test(mark)) + 1;
  return failure(
    "load-multiple-documents",
    `The file contains ${count} YAML documents`,
    { file, pointer: "#", line, column: 1 },
    "Keep one document in the file.",
  );
}

async function syntaxProblem(
  text: string,
  error: YAMLException,
  file: string,
): Promise<Outcome<never>> {
  const mark = error.mark as { readonly line: number; readonly column: number } | undefined;
  const location: SourceLocation = {
    file,
    pointer: "#",
    ...(mark && { line: mark.line + 1, column: mark.column + 1 }),
  };
  const explained = explainKnownError(
    text,
    error.reason ?? "",
    location,
    error.mark?.position ?? 0,
  );
  if (explained) return explained;
  const better = await explainWithYaml(text);
  return failure(
    "load-syntax",
    `This is not valid YAML: ${better?.reason ?? error.reason ?? "it cannot be read"}`,
    { ...location, ...better?.at },
    "Correct the text here.",
  );
}

/** Replaces parser messages that have a clearer explanation. */
function explainKnownError(
  text: string,
  reason: string,
  location: SourceLocation,
  position: number,
): Outcome<never> | undefined {
  if (reason.includes("maxDepth"))
    return failure(
      "load-too-deep",
      `Nesting too deep: more than ${limits.depth} levels`,
      location,
      "Flatten this part of the document.",
    );
  if (reason.includes("maxTotalMergeKeys"))
    return failure(
      "load-alias",
      'The merge keys ("<<") expand beyond the limit',
      location,
      "Replace merge keys by their content.",
    );
  if (reason.startsWith("tab characters"))
    return failure(
      "load-syntax",
      "The indentation contains a tab, which YAML does not allow",
      location,
      "Indent with spaces.",
    );
  return explainTokenError(text, reason, location, position);
}

/** Explains an error about one tag, alias or key. */
function explainTokenError(
  text: string,
  reason: string,
  location: SourceLocation,
  position: number,
): Outcome<never> | undefined {
  if (reason.startsWith("unknown tag")) {
    const tag = reason.replace(/^unknown tag !<(.*)>$/s, "$1").replace("tag:yaml.org,2002:", "!!");
    return failure(
      "load-syntax",
      `The YAML tag ${quoteText(tag)} is unknown; only plain data is read`,
      startOf(text, tag, position, location),
      "Remove the tag.",
    );
  }
  if (reason.startsWith("unidentified alias")) {
    const alias = `*${/"(.*)"/s.exec(reason)?.[1] ?? ""}`;
    return failure(
      "load-syntax",
      `The YAML alias ${quoteText(alias)} has no anchor before it`,
      startOf(text, alias, position, location),
      "Correct its name, or quote it if it is a string.",
    );
  }
  if (reason.startsWith("duplicated mapping key"))
    return failure("load-duplicate-key", "A key occurs twice in the same object", location);
  return undefined;
}

/** Finds the start of a token whose end the parser reports. */
function startOf(
  text: string,
  token: string,
  end: number,
  location: SourceLocation,
): SourceLocation {
  const start = text.lastIndexOf(token, end);
  if (start === -1) return location;
  const prefix = text.slice(0, start);
  return { ...location, line: prefix.split("\n").length, column: start - prefix.lastIndexOf("\n") };
}

/**
 * Asks the `yaml` package for a better message. It is several times slower, so only for short
 * texts. It compares each key of an object with all others and formats every error unless
 * configured otherwise, neither of which takes linear time.
 */
async function explainWithYaml(
  text: string,
): Promise<
  | { readonly reason: string; readonly at?: { readonly line: number; readonly column: number } }
  | undefined
> {
  if (text.length > 1_000_000) return undefined;
  const { LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const options = { prettyErrors: false, uniqueKeys: false, lineCounter };
  const [error] = errorsOf(() => parseDocument(text, options).errors);
  if (!error || error.code === "RESOURCE_EXHAUSTION") return undefined;
  const reason = error.message.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  const { line, col } = lineCounter.linePos(error.pos[0]);
  return { reason, ...(line > 0 && { at: { line, column: col } }) };
}

/** The errors that the package finds; none if the text exhausts its stack. */
function errorsOf<Error>(read: () => readonly Error[]): readonly Error[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Key that occurs twice in an object, with the position of its second occurrence. */
interface DuplicateYamlKey extends TextPosition {
  readonly key: string;
}

/** Finds the duplicate keys of valid YAML text. Slow, so only for texts that have some. */
async function findDuplicateYamlKeys(text: string): Promise<readonly DuplicateYamlKey[]> {
  const { isMap, isScalar, LineCounter, parseDocument, visit } = await import("yaml");
  const lines = new LineCounter();
  const duplicates: DuplicateYamlKey[] = [];
  visit(parseDocument(text, { uniqueKeys: false, lineCounter: lines }), {
    Map: (_, node) => {
      const keys = new Set<string>();
      for (const { key } of isMap(node) ? node.items : []) {
        if (!isScalar(key) || !key.range) continue;
        const name = String(key.value);
        const { line, col } = lines.linePos(key.range[0]);
        if (keys.has(name)) duplicates.push({ key: name, line, column: col });
        keys.add(name);
      }
    },
  });
  return duplicates;
}
