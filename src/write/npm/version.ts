import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJsonObject } from "../../json.js";

/**
 * Semantic Versioning 2.0.0, as npm takes it. It goes into JSON and into a Dockerfile, so nothing
 * else is one.
 */
const SEMVER = String.raw`\d{1,16}\.\d{1,16}\.\d{1,16}(?:[-+][0-9A-Za-z.+-]{1,200})?`;
const semver = new RegExp(`^${SEMVER}$`);
const inJson = `("version": )"(${SEMVER})"`;

/**
 * The version of the package is its owner's: `npm version` changes it in package.json, and whoever
 * publishes has to. What is generated gives it once; from then on, files that repeat it get it from
 * package.json. It does not count in fingerprints.
 */
const VERSION_FIELDS: Readonly<Record<string, RegExp>> = {
  "package.json": new RegExp(inJson),
  "package-lock.json": new RegExp(inJson, "g"),
  "server.json": new RegExp(inJson, "g"),
  "manifest.json": new RegExp(inJson, "g"),
  Dockerfile: new RegExp(String.raw`(\borg\.opencontainers\.image\.version=)"(${SEMVER})"`, "g"),
};

/**
 * The version of the package in a folder.
 * @param root absent when the folder does not exist
 * @returns undefined when there is none that npm takes
 */
export function packageVersion(root: string | undefined): string | undefined {
  if (root === undefined) return undefined;
  const version = parseJsonObject(readText(join(root, "package.json")))?.version;
  return typeof version === "string" && semver.test(version) ? version : undefined;
}

/** Nothing, where there is no such file; that it cannot be read is said by those who compare it. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** A file with another version of the package in it; the same text when it repeats none. */
export function withVersion(path: string, text: string, version: string): string {
  const field = Object.hasOwn(VERSION_FIELDS, path) ? VERSION_FIELDS[path] : undefined;
  if (!field) return text;
  // The packages in a lock have versions of their own.
  const end = path === "package-lock.json" ? text.indexOf('"node_modules/') : -1;
  const [head, rest] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  const own = new RegExp(field.source).exec(head)?.[2];
  return (
    head.replace(field, (whole, before: string, found: string) =>
      found === own ? `${before}"${version}"` : whole,
    ) + rest
  );
}

/**
 * What two texts of a file have in common when only the version of the package tells them apart.
 */
export function withoutVersion(path: string, text: string): string {
  return withVersion(path, text, "");
}
