import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJsonObject } from "../json.js";
import { byCodeUnit } from "./paths.js";
import { relateVersions } from "./versions.js";

/**
 * Entry of a package.json: a top-level member, or one of an object there (a script, a dependency).
 */
export interface PackageMember {
  readonly path: readonly [string] | readonly [string, string];
  readonly value: unknown;
}

/** Formats an entry's path: `scripts.build`. */
export function memberTitle({ path }: PackageMember): string {
  return path.join(".");
}

/** Entries of a package.json by path as JSON; undefined for an invalid text. */
function membersOf(text: string): ReadonlyMap<string, PackageMember> | undefined {
  const packageJson = parseJsonObject(text);
  if (!packageJson) return undefined;
  const members = Object.entries(packageJson).flatMap(([key, value]): readonly PackageMember[] =>
    isObject(value) && Object.keys(value).length > 0
      ? Object.entries(value).map(([inner, value]) => ({ path: [key, inner], value }))
      : [{ path: [key], value }],
  );
  return new Map(members.map((member) => [JSON.stringify(member.path), member]));
}

/** Hexadecimal digits of one fingerprint. */
const HASH_DIGITS = 12;

function shortHash(text: string): string {
  return hash("sha1", text, "hex").slice(0, HASH_DIGITS);
}

function hashValue(value: unknown): string {
  return shortHash(JSON.stringify(value));
}

/** Fingerprints of all entries, concatenated: of the path, then of the value. */
export function fingerprintMembers(text: string): string | undefined {
  const members = membersOf(text);
  return (
    members && [...members].map(([key, { value }]) => shortHash(key) + hashValue(value)).join("")
  );
}

/** Entries of the last run, by fingerprint. */
interface GeneratedBase {
  /** True when the entry existed. */
  readonly had: (key: string) => boolean;
  /** True when the entry had this value. */
  readonly hadValue: (key: string, value: unknown) => boolean;
}

/** Parses the result of `fingerprintMembers`. */
export function readGeneratedBase(prints: string): GeneratedBase {
  const pairs = prints.match(new RegExp(`.{${2 * HASH_DIGITS}}`, "g")) ?? [];
  const values = new Map(
    pairs.map((pair) => [pair.slice(0, HASH_DIGITS), pair.slice(HASH_DIGITS)]),
  );
  return {
    had: (key) => values.has(shortHash(key)),
    hadValue: (key, value) => values.get(shortHash(key)) === hashValue(value),
  };
}

/** package.json with the user's additions. */
interface MergedPackage {
  readonly text: string;
  /** Dependencies whose version the user raised. */
  readonly raised: readonly RaisedPackage[];
  /** Added entries. */
  readonly kept: readonly PackageMember[];
  /** Generated entries that the user changed or removed; they are as generated in `text`. */
  readonly edits: readonly PackageMember[];
}

/** A dependency with a newer version than the generated one. */
export interface RaisedPackage {
  readonly member: PackageMember;
  readonly generated: unknown;
  /** False if the newer version may break the project, by Semantic Versioning. */
  readonly isCompatible: boolean;
}

/**
 * Carries user additions and raised versions over into the generated package.json.
 * @param edited text on disk
 * @param pinned dependencies whose generated version the owner chose
 * @returns undefined when one of the texts is not valid
 */
export function mergePackage(
  edited: string,
  generated: string,
  base: GeneratedBase,
  pinned: ReadonlySet<string> = new Set(),
): MergedPackage | undefined {
  const [editedMembers, generatedMembers] = [membersOf(edited), membersOf(generated)];
  if (!editedMembers || !generatedMembers) return undefined;
  const kept: PackageMember[] = [];
  const edits: PackageMember[] = [];
  const raised: RaisedPackage[] = [];
  let isSame = true;
  for (const [key, member] of editedMembers) {
    const generatedMember = generatedMembers.get(key);
    const isTheirs = !base.hadValue(key, member.value);
    const isAdded = !generatedMember && !isInAnotherShape(member, generatedMembers);
    if (isAdded && isTheirs) kept.push(member);
    if (generatedMember && JSON.stringify(generatedMember.value) === JSON.stringify(member.value))
      continue;
    const change = generatedMember && compareVersions(member, generatedMember, pinned);
    if (change?.raised) {
      raised.push(change.raised);
      continue;
    }
    // Without a change of the owner, the generated version is newer than that of the last run.
    const isSuperseded = change?.isOlder && !base.hadValue(key, generatedMember!.value);
    if (!isAdded && isTheirs && !isSuperseded && !change?.isPinned) edits.push(member);
    isSame &&= isAdded && isTheirs;
  }
  for (const [key, member] of generatedMembers) {
    if (editedMembers.has(key)) continue;
    isSame = false;
    if (base.had(key)) edits.push(member);
  }
  const members = [...kept, ...raised.map(({ member }) => member)];
  return { text: isSame ? edited : withMembers(generated, members), kept, raised, edits };
}

/** A dependency of the owner in relation to the generated one. */
interface VersionChange {
  readonly raised?: RaisedPackage;
  readonly isOlder?: boolean;
  readonly isPinned?: boolean;
}

/** Compares the versions of a dependency; undefined for other entries and other values. */
function compareVersions(
  member: PackageMember,
  { value: generated }: PackageMember,
  pinned: ReadonlySet<string>,
): VersionChange | undefined {
  const [group, name = ""] = member.path;
  if (!/^(dev)?dependencies$/i.test(group)) return undefined;
  if (pinned.has(name)) return { isPinned: true };
  const relation = relateVersions(member.value, generated);
  if (relation === undefined) return undefined;
  if (relation === "older") return { isOlder: true };
  return { raised: { member, generated, isCompatible: relation === "compatible" } };
}

/** True when the top-level member is an object in one text only, as in `"scripts": {}`. */
function isInAnotherShape(
  { path: [key, inner] }: PackageMember,
  generated: ReadonlyMap<string, PackageMember>,
): boolean {
  return [...generated.values()].some(
    ({ path: [generatedKey, generatedInner] }) =>
      generatedKey === key && (generatedInner === undefined) !== (inner === undefined),
  );
}

/** Adds entries to a package.json; dependencies are sorted as npm does. */
function withMembers(generated: string, more: readonly PackageMember[]): string {
  const packageJson = new Map(Object.entries(parseJsonObject(generated) ?? {}));
  for (const {
    path: [key, inner],
    value,
  } of more)
    packageJson.set(
      key,
      inner === undefined ? value : withEntry(key, packageJson.get(key), inner, value),
    );
  return `${JSON.stringify(Object.fromEntries(packageJson), null, 2)}\n`;
}

function withEntry(key: string, group: unknown, name: string, value: unknown): object {
  const entries = [...(isObject(group) ? Object.entries(group) : []), [name, value] as const];
  return Object.fromEntries(
    /dependencies$/i.test(key) ? entries.sort(([a], [b]) => byCodeUnit(a, b)) : entries,
  );
}

/** Semantic Versioning 2.0.0, restricted because it is inserted into JSON and a Dockerfile. */
const SEMVER = String.raw`\d{1,16}\.\d{1,16}\.\d{1,16}(?:[-+][0-9A-Za-z.+-]{1,200})?`;
const semver = new RegExp(`^${SEMVER}$`);
const inJson = `("version": )"(${SEMVER})"`;

/**
 * Patterns of the package version in generated files. The user sets the version in package.json
 * (`npm version`). It is generated once; later runs copy it from package.json to the other files.
 * Fingerprints ignore it.
 */
const VERSION_FIELDS: Readonly<Record<string, RegExp>> = {
  "package.json": new RegExp(inJson),
  "package-lock.json": new RegExp(inJson, "g"),
  "server.json": new RegExp(inJson, "g"),
  "manifest.json": new RegExp(inJson, "g"),
  Dockerfile: new RegExp(String.raw`(\borg\.opencontainers\.image\.version=)"(${SEMVER})"`, "g"),
};

/**
 * Reads the version of the package in a folder.
 * @param root undefined when the folder does not exist
 * @returns undefined without a valid version
 */
export function packageVersion(root: string | undefined): string | undefined {
  if (root === undefined) return undefined;
  const version = parseJsonObject(readText(join(root, "package.json")))?.version;
  return typeof version === "string" && semver.test(version) ? version : undefined;
}

/** Reads a file; the empty string when it cannot be read. The comparison reports read errors. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Replaces the package version in a file that has one. */
export function withVersion(path: string, text: string, version: string): string {
  const field = Object.hasOwn(VERSION_FIELDS, path) ? VERSION_FIELDS[path] : undefined;
  if (!field) return text;
  // Packages in a lockfile have versions of their own.
  const end = path === "package-lock.json" ? text.indexOf('"node_modules/') : -1;
  const [head, rest] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  const current = new RegExp(field.source).exec(head)?.[2];
  return (
    head.replace(field, (match, prefix: string, found: string) =>
      found === current ? `${prefix}"${version}"` : match,
    ) + rest
  );
}

/** Removes the package version, to compare texts apart from it. */
export function withoutVersion(path: string, text: string): string {
  return withVersion(path, text, "");
}
