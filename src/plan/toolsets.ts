import { groupBy, pushTo } from "../groups.js";
import { joinFirst } from "../diagnostics/index.js";
import { sanitizeText, toSingleLine } from "../diagnostics/text.js";
import type { ApiModel, Operation, Tag } from "../model/types.js";
import { balanceToolsets, contentsOf, familyOf } from "./balance-toolsets.js";
import { truncateText } from "./text/sentences.js";
import { isReservedFileName, shortenName, toSentenceCase } from "./names/format-name.js";
import { parsePathTemplate } from "./operations/path.js";
import { hasForeignLetters, splitWords } from "../language/words.js";
import { flattenMarkdown } from "./text/markdown.js";
import type { CallableTool, FindTool } from "../runtime/request/types.js";
import { callableProducers } from "../runtime/errors/other-tools.js";
import type { PlannedTool, Toolset } from "./types.js";
import { memoize } from "../language/patterns.js";

const MAX_NAME = 48;
/** Characters of the text about a toolset. */
export const MAX_DESCRIPTION = 300;

/** Toolset of an operation. */
interface Membership {
  readonly name: string;
  readonly title: string;
  readonly tag?: string;
  readonly description?: string;
}

/** Toolsets of some operations, in the order of the document's tags, and the assignment. */
interface Toolsets {
  readonly list: readonly Toolset[];
  readonly byOperation: ReadonlyMap<Operation, string>;
}

/** Toolset of operations without a group. */
const API = "api";
/** Number of groups by paths that are kept in any case. */
const MAX_SCATTERED = 4;
/** Groups by the first words of paths are given up if they have fewer operations on average. */
const MIN_AVERAGE = 2;

/**
 * Assigns operations to toolsets by their first tag, else by the first word of their path, else to
 * `api`, where nearly each path has a first word of its own. In APIs of more than 40 operations,
 * large groups are split and small ones joined.
 */
export function assignToolsets(operations: readonly Operation[], tags: ApiModel["tags"]): Toolsets {
  const nameOf = memoize((tag) => toolsetName(tag) ?? "");
  const memberships = new Map<string, Membership>();
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const member = membershipOf(operation, nameOf);
    if (!memberships.has(member.name)) memberships.set(member.name, member);
    pushTo(groups, member.name, operation);
  }
  const isScattered =
    groups.size > MAX_SCATTERED &&
    operations.length < groups.size * MIN_AVERAGE &&
    operations.every(({ tags: [tag = ""] }) => nameOf(tag) === "");
  const balanced = isScattered ? new Map([[API, operations]]) : balanceToolsets(groups, nameOf);
  const ordered = [...tags.map((tag) => nameOf(tag.name)), ...balanced.keys()];
  const names = [...new Set(ordered)].filter((name) => balanced.has(name));
  return {
    list: names.map((name) => {
      const own = balanced.get(name) ?? [];
      const titles = own.map((operation) => membershipOf(operation, nameOf).title);
      const contents = contentsOf(name, own).map((text) => splitWords(text).join(" "));
      return describeToolset(memberships.get(name) ?? untagged(name, titles, contents), tags);
    }),
    byOperation: new Map(
      [...balanced].flatMap(([name, members]) => members.map((member) => [member, name])),
    ),
  };
}

function membershipOf(operation: Operation, nameOf: (tag: string) => string): Membership {
  const tag = operation.tags[0];
  const name = tag === undefined ? "" : nameOf(tag);
  if (tag !== undefined && name !== "") return { name, title: toolsetTitle(tag), tag };
  const first = parsePathTemplate(operation.path).find((part) => part.kind === "words");
  const fallback = (first?.kind === "words" && nameOf(first.text)) || API;
  return untagged(fallback);
}

/** A toolset without its own tag. Several tags, else several contents, describe it. */
function untagged(
  name: string,
  titles: readonly string[] = [],
  contents: readonly string[] = [],
): Membership {
  const family = familyOf(name);
  const tags = [...new Set(titles)].filter((title) => familyOf(title.toLowerCase()) !== family);
  const parts = tags.length > 1 ? tags : contents;
  return {
    name,
    title: toSentenceCase(name.split("_")),
    ...(parts.length > 1 && { description: joinFirst(parts, MAX_PARTS) }),
  };
}

const MAX_PARTS = 8;

/**
 * A tag as a folder name: `^[a-z][a-z0-9_]{0,47}$`, not reserved on Windows or in the project.
 * Undefined for tags in other scripts, and for those without letters.
 */
export function toolsetName(tag: string): string | undefined {
  if (hasForeignLetters(tag)) return undefined;
  const name = shortenName(splitWords(tag), MAX_NAME - 6);
  if (name === "") return undefined;
  if (isReservedFileName(name)) return `${name}_tools`;
  return /^[a-z]/.test(name) ? name : `api_${name}`;
}

/** Title of a tag. Identifiers become words. */
function toolsetTitle(tag: string): string {
  const text = toSingleLine(tag);
  if (/^[a-z0-9_-]+$/.test(text)) return toSentenceCase(splitWords(text));
  return CLASS_NAME.test(text) && splitWords(text).length > 1
    ? toSentenceCase(splitWords(text.replace(CLASS_SUFFIX, "")))
    : truncateText(text, 80, false);
}

/** Class names that frameworks use as tags: `PlanInformation`, `KeysApi`, `petController`. */
const CLASS_NAME = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+$/;
const CLASS_SUFFIX = /(?<=[a-z])(?:Api|Controller|Resource|Endpoints?)$/;

function describeToolset(
  { name, title, tag, description: own = "" }: Membership,
  tags: readonly Tag[],
): Toolset {
  const known = tags.find((candidate) => candidate.name === tag);
  const summary = known?.summary ? sanitizeText(toSingleLine(known.summary)) : undefined;
  const description = truncateText(
    flattenMarkdown(known?.description ?? own),
    MAX_DESCRIPTION,
    false,
  );
  return {
    name,
    title: summary && summary.length <= 80 ? summary : title,
    ...(description !== "" && { description }),
  };
}

/** Orders tools by toolset, and drops empty toolsets. */
export function orderByToolset(
  tools: readonly PlannedTool[],
  toolsets: ReadonlyMap<string, Toolset>,
): { readonly tools: readonly PlannedTool[]; readonly toolsets: readonly Toolset[] } {
  const byToolset = groupBy(tools, ({ toolset }) => toolset);
  const list = [...toolsets.values()].filter(({ name }) => byToolset.has(name));
  return { toolsets: list, tools: list.flatMap(({ name }) => byToolset.get(name)!) };
}

/**
 * Adds the metadata that a server needs to offer and find tools: the toolset, and the producers of
 * inputs. A producer must be a tool that can be called with the other required inputs.
 */
export function addDiscoveryMetadata(tools: readonly PlannedTool[]): readonly PlannedTool[] {
  const callable = new Map(tools.map((tool) => [tool.definition.name, asCallable(tool)]));
  const find: FindTool = (name) => callable.get(name);
  return tools.map((tool) => {
    const required = tool.inputs.filter((input) => input.required).map(({ name }) => name);
    const own = find(tool.definition.name)!;
    const sources = Object.keys(own.producers ?? {}).flatMap((name) => {
      const producers = callableProducers(own, name, required, find);
      return producers.length > 0 ? [[name, producers] as const] : [];
    });
    return {
      ...tool,
      definition: {
        ...tool.definition,
        toolset: tool.toolset,
        ...(sources.length > 0 && { producers: Object.fromEntries(sources) }),
      },
    };
  });
}

function asCallable({ definition, inputs }: PlannedTool): CallableTool {
  const sources = inputs.flatMap(({ name, producers = [] }) =>
    producers.length > 0 ? [[name, producers] as const] : [],
  );
  return { ...definition, producers: Object.fromEntries(sources) };
}
