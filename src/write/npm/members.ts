import { hash } from "node:crypto";
import { isObject } from "../../json.js";
import { parsed } from "../../npm.js";

/**
 * One entry of a package.json: a member at the top, or one of an object there (a script, a
 * dependency).
 */
export interface Member {
  readonly path: readonly [string] | readonly [string, string];
  readonly value: unknown;
}

/** `scripts.build` */
export function titleOf({ path }: Member): string {
  return path.join(".");
}

/** Every entry of a package.json, by its title as JSON; undefined when the text is none. */
export function membersOf(text: string): ReadonlyMap<string, Member> | undefined {
  const manifest = parsed(text);
  if (!manifest) return undefined;
  const members = Object.entries(manifest).flatMap(([key, value]): readonly Member[] =>
    isObject(value) && Object.keys(value).length > 0
      ? Object.entries(value).map(([inner, own]) => ({ path: [key, inner], value: own }))
      : [{ path: [key], value }],
  );
  return new Map(members.map((member) => [JSON.stringify(member.path), member]));
}

/** Hexadecimal digits of one fingerprint. */
const PRINT = 12;

function print(text: string): string {
  return hash("sha1", text, "hex").slice(0, PRINT);
}

function printOf(value: unknown): string {
  return print(JSON.stringify(value));
}

/**
 * The fingerprints of all entries, one after the other: of what it is called, then of what it says.
 */
export function formatMembers(text: string): string | undefined {
  const members = membersOf(text);
  return members && [...members].map(([key, { value }]) => print(key) + printOf(value)).join("");
}

/** What was generated once, as far as `formatMembers` tells. */
export interface Base {
  /** Whether there was an entry of this name. */
  readonly had: (key: string) => boolean;
  /** Whether it said just this. */
  readonly said: (key: string, value: unknown) => boolean;
}

/** Reads what `formatMembers` wrote. */
export function readBase(prints: string): Base {
  const pairs = prints.match(new RegExp(`.{${2 * PRINT}}`, "g")) ?? [];
  const known = new Map(pairs.map((pair) => [pair.slice(0, PRINT), pair.slice(PRINT)]));
  return {
    had: (key) => known.has(print(key)),
    said: (key, value) => known.get(print(key)) === printOf(value),
  };
}
