import { cleanText, oneLine } from "../diagnostics/clean.js";
import type { ApiModel, Operation, Tag } from "../model/types.js";
import { flatten } from "./describe/markdown.js";
import { fit } from "./describe/sentences.js";
import { memoize } from "./memo.js";
import { fitName } from "./name/fit.js";
import { isReservedFile } from "./name/reserved.js";
import { pathParts } from "./name/path.js";
import { sentenceCase } from "./name/title.js";
import { hasForeignLetters, wordsOf } from "./name/words.js";
import type { Toolset } from "./types.js";

const MAX_NAME = 48;
const MAX_DESCRIPTION = 300;

/** Where an operation belongs, and what that is called. */
interface Membership {
  readonly name: string;
  readonly title: string;
  readonly tag?: string;
}

/**
 * The toolsets of some operations, in the order of the document's tags, and which operation is in
 * which.
 */
export interface Toolsets {
  readonly list: readonly Toolset[];
  readonly of: ReadonlyMap<Operation, string>;
}

/** Groups operations by their first tag, else by the first word of their path, else as `api`. */
export function groupByToolset(operations: readonly Operation[], tags: ApiModel["tags"]): Toolsets {
  const slug = memoize((tag) => slugOf(tag) ?? "");
  const found = new Map<string, Membership>();
  const of = new Map<Operation, string>();
  for (const operation of operations) {
    const member = membership(operation, slug);
    if (!found.has(member.name)) found.set(member.name, member);
    of.set(operation, member.name);
  }
  const order = [...tags.map((tag) => slug(tag.name)), ...found.keys()];
  const names = [...new Set(order)].filter((name) => found.has(name));
  return { list: names.map((name) => describe(found.get(name) as Membership, tags)), of };
}

function membership(operation: Operation, slug: (tag: string) => string): Membership {
  const tag = operation.tags[0];
  const name = tag === undefined ? "" : slug(tag);
  if (tag !== undefined && name !== "") return { name, title: titleOf(tag), tag };
  const first = pathParts(operation.path).find((part) => part.kind === "words");
  const fallback = (first?.kind === "words" && slug(first.text)) || "api";
  return { name: fallback, title: sentenceCase(fallback.split("_")) };
}

/**
 * A tag as a folder name: `^[a-z][a-z0-9_]{0,47}$`, no device of Windows, no folder that means
 * something else. Undefined for tags in other scripts, and for those without letters.
 */
export function slugOf(tag: string): string | undefined {
  if (hasForeignLetters(tag)) return undefined;
  const name = fitName(wordsOf(tag), MAX_NAME - 6);
  if (name === "") return undefined;
  if (isReservedFile(name)) return `${name}_tools`;
  return /^[a-z]/.test(name) ? name : `api_${name}`;
}

/** Tags are written for people already; those that are identifiers become words. */
function titleOf(tag: string): string {
  const text = oneLine(tag);
  if (/^[a-z0-9_-]+$/.test(text)) return sentenceCase(wordsOf(text));
  return CLASS_NAME.test(text) && wordsOf(text).length > 1
    ? sentenceCase(wordsOf(text.replace(CLASS_END, "")))
    : fit(text, 80, false);
}

/** `PlanInformation`, `KeysApi`, `petController`: what frameworks make tags of. */
const CLASS_NAME = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+$/;
const CLASS_END = /(?<=[a-z])(?:Api|Controller|Resource|Endpoints?)$/;

function describe({ name, title, tag }: Membership, tags: readonly Tag[]): Toolset {
  const known = tags.find((one) => one.name === tag);
  const summary = known?.summary ? cleanText(oneLine(known.summary)) : undefined;
  const description = fit(flatten(known?.description ?? ""), MAX_DESCRIPTION, false);
  return {
    name,
    title: summary && summary.length <= 80 ? summary : title,
    ...(description !== "" && { description }),
  };
}
