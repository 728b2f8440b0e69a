/**
 * The hint `openWorldHint`: whether a tool meets texts or systems of third parties. Hosts ask about
 * the result of such a call, because it can hold instructions to the model.
 */
import { isObject, type JsonSchema } from "../json.js";
import { singularize } from "../language/grammar.js";
import { FETCHING_VERBS } from "../language/lexicon.js";
import { splitWords } from "../language/words.js";
import type { PlannedTool } from "./types.js";

/** Things that people outside of the API's owner write, and services that fetch such texts. */
const THIRD_PARTY_NOUNS = new Set(
  (
    "chat comment commit conversation crawl discussion email feed feedback inbox issue mail mailbox " +
    "message news note post pull reaction reply review rss scrape sms ticket thread transcript " +
    "tweet voicemail web website"
  ).split(" "),
);

/** Fields with the text of an author, and fields with the author. */
const TEXT_FIELDS = new Set(
  "body comment comments content description html message messages notes snippet text".split(" "),
);
const AUTHOR_FIELDS =
  /^(?:from|sender|author|commenter|reporter|reviewer|submitter|poster|(?:posted|submitted|reported|written|sent)_?by)(?:_?(?:id|name|email|address))?$/i;

/** Nesting of results that is searched for authors. */
const MAX_DEPTH = 6;

/**
 * Decides the hint of a tool. An API is a closed world of its owner, unless the tool is about texts
 * of third parties, returns texts with an author, sends something, or fetches an address.
 * @param configured `server.openWorld` of `mcp-gen.yaml`
 */
export function applyOpenWorld(tool: PlannedTool, configured: boolean | undefined): PlannedTool {
  const { definition } = tool;
  const openWorldHint = configured ?? isOpenWorld(tool);
  if (openWorldHint === definition.annotations.openWorldHint) return tool;
  const annotations = { ...definition.annotations, openWorldHint };
  return { ...tool, definition: { ...definition, annotations } };
}

/** Tests whether a tool meets texts or systems of third parties, where nothing is configured. */
export function isOpenWorld(tool: PlannedTool): boolean {
  const { definition, operations, workflow } = tool;
  if (workflow || definition.effect === "sends") return true;
  const words = [definition.name, ...operations.map(({ path }) => path.replace(/\{[^{}]*\}/g, " "))]
    .flatMap((text) => splitWords(text))
    .map((word) => word.toLowerCase());
  if (words.some((word) => isIn(THIRD_PARTY_NOUNS, word))) return true;
  return (
    (takesAddress(tool) && words.some((word) => isIn(FETCHING_VERBS, word))) ||
    (definition.outputSchema !== undefined && hasAuthoredText(definition.outputSchema))
  );
}

const isIn = (words: ReadonlySet<string>, word: string): boolean =>
  words.has(word) || words.has(singularize(word));

function takesAddress({ inputs }: PlannedTool): boolean {
  return inputs.some(({ name }) => /(?:^|_)(?:url|uri|link|website)s?$/i.test(name));
}

/** Results of `hasAuthoredText` by schema. Tools of one resource return the same. */
const authored = new WeakMap<JsonSchema, boolean>();

/** True if an object of the result has both a text and its author. */
function hasAuthoredText(root: JsonSchema): boolean {
  const known = authored.get(root) ?? findAuthoredText(root);
  authored.set(root, known);
  return known;
}

function findAuthoredText(root: JsonSchema): boolean {
  const visited = new Set<unknown>();
  const search = (schema: unknown, depth: number): boolean => {
    if (!isObject(schema) || depth > MAX_DEPTH || visited.has(schema)) return false;
    visited.add(schema);
    const { properties, $ref } = schema;
    if (isObject(properties) && isAuthored(Object.keys(properties))) return true;
    if (typeof $ref === "string" && search(definitionOf(root, $ref), depth + 1)) return true;
    return partsOf(schema).some((part) => search(part, depth + 1));
  };
  return search(root, 0);
}

/** The properties of a schema, then its other parts without definitions. */
function partsOf(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
  const parts = isObject(schema.properties) ? Object.values(schema.properties) : [];
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (keyword === "properties" || keyword === "$defs" || typeof value !== "object") continue;
    for (const part of Array.isArray(value) ? value : [value]) parts.push(part);
  }
  return parts;
}

const isAuthored = (names: readonly string[]): boolean =>
  names.some((name) => AUTHOR_FIELDS.test(name)) &&
  names.some((name) => TEXT_FIELDS.has(name.toLowerCase()));

function definitionOf(root: JsonSchema, ref: string): unknown {
  const { $defs } = root;
  return isObject($defs) ? $defs[ref.replace("#/$defs/", "")] : undefined;
}
