/** Documents of a command line, which may name their API: `billing=a.yaml`. */
import type { ApiSource } from "../generate-apis.js";
import { pathKind } from "./terminal.js";

/** The name in `NAME=document`. A path may contain `=`, too. */
const namedSource = /^([a-z][a-z0-9_]{0,23})=(.+)$/s;

/** Reads the documents of a command line; `billing=a.yaml` names the API. */
export function readSources(sources: readonly string[]): readonly ApiSource[] {
  return sources.map((text) => {
    const [, name, source] = pathKind(text) === undefined ? (namedSource.exec(text) ?? []) : [];
    return name === undefined || source === undefined ? { source: text } : { name, source };
  });
}

/** The name of a document that exists, which no API can have: `Billing` of `Billing=a.yaml`. */
export function invalidName(text: string): string | undefined {
  const [, name, source = ""] = /^([^=/\\:]{1,80})=(.+)$/s.exec(text) ?? [];
  if (name === undefined || namedSource.test(text) || pathKind(text) !== undefined)
    return undefined;
  return /^https?:/i.test(source) || pathKind(source) !== undefined ? name : undefined;
}

/** True if one of the documents has the name of an API, which a single one may have, too. */
export const namesApi = (sources: readonly string[]): boolean =>
  readSources(sources).some(
    ({ name, source }) => name !== undefined || invalidName(source) !== undefined,
  );
