/** The documents of a command for several APIs. */
import type { Configuration } from "../configuration/types.js";
import { toSingleLine } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import type { ApiSource } from "../generate-apis.js";
import { invalidName } from "./named-documents.js";
import type { CommandOptions } from "./options.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { quoteForUser } from "./terminal.js";

/** Options about one API, which do not say of which. */
const optionsOfOneApi = [
  ["--overlay", "overlay"],
  ["--base-url", "baseUrl"],
  ["--only", "only"],
  ["--skip", "skip"],
] as const satisfies readonly (readonly [string, keyof CommandOptions])[];

/** The APIs of `mcp-gen.yaml`. */
export function configuredApis({ apis }: Configuration): readonly ApiSource[] | undefined {
  return apis?.map(({ name, configuration }) => ({
    name,
    source: configuration.settings.spec ?? "",
    configuration,
  }));
}

/** Explains why a command for several APIs cannot run, as a sentence. */
export function findApisProblem(
  apis: readonly ApiSource[],
  options: CommandOptions,
): string | undefined {
  const option = optionsOfOneApi.find(([, key]) => options[key] !== undefined);
  if (option)
    return (
      `${option[0]} is about one API, and there are ${apis.length}. ` +
      "Write it below the API in `apis` of mcp-gen.yaml."
    );
  if (apis.some(({ source }) => source === "-"))
    return "Standard input is one document. Give the documents of several APIs as files or URLs.";
  const unnamed = apis.find(({ source }) => source === "");
  if (unnamed) return "Give each API a document: a path or an https: URL.";
  const invalid = apis.map(({ source }) => invalidName(source)).find((name) => name !== undefined);
  if (invalid !== undefined)
    return (
      `${quoteText(invalid)} is not a name of an API. Use at most 24 lower-case letters, digits and ` +
      "_, starting with a letter, as in billing=FILE."
    );
  return findHeaderProblem(apis);
}

/** A header with a credential is for one host. */
function findHeaderProblem(apis: readonly ApiSource[]): string | undefined {
  const origins = apis.flatMap(({ source }) => originOf(source) ?? []);
  return process.env["MCP_GEN_HEADER"] && new Set(origins).size > 1
    ? "MCP_GEN_HEADER would be sent to several hosts. Save the documents that need it as files."
    : undefined;
}

/** Origin of a URL; undefined for a path. */
function originOf(source: string): string | undefined {
  return /^https?:\/\/[^/?#]*/i.exec(source)?.[0].toLowerCase();
}

/** The documents of a command, as a user types them. */
export function documentWords({ source, apis }: Pick<ResolvedCommand, "source" | "apis">): string {
  if (!apis) return quoteForUser(source);
  const words = apis.map(({ name, source: own }) => (name === undefined ? own : `${name}=${own}`));
  return words.map((word) => quoteForUser(word)).join(" ");
}

/** The documents of several APIs, for messages. */
export function describeSources(apis: readonly ApiSource[]): string {
  return apis.map(({ source }) => toSingleLine(source)).join(", ");
}
