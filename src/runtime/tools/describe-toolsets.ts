/** The server's part of its instructions: its toolsets. */
import type { ApiDefinition } from "../api-definition.js";
import { estimateTokens } from "../data/tokens.js";
import { singularize } from "../language/inflection.js";
import type { StoredTool } from "./definitions.js";
import { describeApis } from "./describe-apis.js";

/** Tokens of the sentence about toolsets. */
const maxTokens = 250;

/** Verbs of each toolset, the most detailed first. The first that fits is used. */
const details = [5, 3, 0] as const;

/** Toolsets that are named at most. */
const maxToolsets = 60;

/** Words before what a name says of its thing: `find_pets_by_status`. */
const RELATION = /^(?:by|with|without|for|in|of|on|from|to|and)$/;

type NamedTool = Pick<StoredTool, "name" | "toolset" | "api">;

/** Verbs of the tools for the thing that a toolset is named after, most frequent first. */
interface ToolsetVerbs {
  readonly own: readonly string[];
  /** True if the toolset has tools for other things, too. */
  readonly hasOthers: boolean;
}

/**
 * Names the toolsets with the verbs of their tools, most frequent first: `Toolsets: pets (find,
 * create), owners (find).` A tool for another thing, such as `create_owner_token`, is only "…": its
 * verb would promise to create owners. Hosts that defer tools show models only names and
 * instructions.
 * @param namespace prefix of the tools' names, without the underscore
 * @returns an empty text for fewer than two toolsets
 */
export function describeToolsets(
  tools: readonly NamedTool[],
  namespace: string | undefined,
): string {
  const prefix = prefixOf(namespace);
  const bySet = groupBy(tools, ({ toolset = "" }) => toolset);
  bySet.delete("");
  if (bySet.size < 2) return "";
  const verbs = new Map([...bySet].map(([set, own]) => [set, verbsOf(set, own, prefix)]));
  const texts = details.map((count) => toolsetsText(verbs, count));
  return texts.find((text) => estimateTokens(text) <= maxTokens) ?? texts.at(-1)!;
}

function toolsetsText(verbs: ReadonlyMap<string, ToolsetVerbs>, count: number): string {
  const names = [...verbs].slice(0, maxToolsets).map(([toolset, { own, hasOthers }]) => {
    const shown = own.slice(0, count);
    if (shown.length === 0) return toolset;
    const isPartial = hasOthers || own.length > shown.length;
    return `${toolset} (${[...shown, ...(isPartial ? ["…"] : [])].join(", ")})`;
  });
  const rest = verbs.size > maxToolsets ? ` and ${verbs.size - maxToolsets} more` : "";
  return `Toolsets: ${names.join(", ")}${rest}.`;
}

/** A toolset without a tool for its own thing is an area, and all verbs are those of its tools. */
function verbsOf(toolset: string, tools: readonly NamedTool[], prefix: string): ToolsetVerbs {
  const parts = tools.map(({ name, api }) => {
    const [verb = "", ...object] = withoutPrefixes(name, [prefix, prefixOf(api)]).split("_");
    return { verb, object, thing: withoutPrefixes(toolset, [prefixOf(api)]) };
  });
  const own = parts.filter(({ object, thing }) => isNamedAfter(thing, object));
  const shown = own.length > 0 ? own : parts;
  const counts = groupBy(shown, ({ verb }) => verb);
  const ranked = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return { own: ranked.map(([verb]) => verb), hasOthers: shown.length < parts.length };
}

/** The prefix of a namespace, or of an API: before its toolsets, and names that others have, too. */
const prefixOf = (name: string | undefined): string => (name === undefined ? "" : `${name}_`);

const withoutPrefixes = (name: string, prefixes: readonly string[]): string =>
  prefixes.reduce((rest, one) => (rest.startsWith(one) ? rest.slice(one.length) : rest), name);

/** True for the object of a name that is the thing of a toolset: `pets_by_status` of `pets`. */
function isNamedAfter(toolset: string, object: readonly string[]): boolean {
  const end = object.findIndex((word) => RELATION.test(word));
  const thing = object.slice(0, end < 0 ? undefined : end);
  return normalize(thing) === normalize(toolset.split("_"));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const normalize = (words: readonly string[]): string => words.map(singularize).join("_");

/** The instructions of the API, its APIs, its toolsets and further texts as one; undefined without any. */
export function joinInstructions(
  { instructions, namespace, apis }: Pick<ApiDefinition, "instructions" | "namespace" | "apis">,
  tools: readonly Pick<StoredTool, "api" | "name" | "toolset">[],
  ...texts: readonly string[]
): string | undefined {
  const own = [instructions, describeApis(apis, tools), describeToolsets(tools, namespace)];
  return [...own, ...texts].filter(Boolean).join(" ") || undefined;
}
