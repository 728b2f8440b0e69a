import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJsonObject } from "../../json.js";

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
