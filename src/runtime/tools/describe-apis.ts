/** The APIs of a server of several, as its instructions describe them. */
import type { ApiDefinition } from "../api-definition.js";
import type { StoredTool } from "./definitions.js";

/** Space between two sentences. */
const SENTENCE_BREAK = /(?<=[.!?]) (?=[A-Z])/;

/**
 * Describes the APIs that have tools: `API billing: Invoices and payments.` An API whose document
 * says nothing has its title. Sentences of several APIs follow once: `APIs billing, crm: …`.
 */
export function describeApis(
  apis: ApiDefinition["apis"] = {},
  tools: readonly Pick<StoredTool, "api">[],
): string {
  const served = new Set(tools.map(({ api }) => api));
  const described = Object.entries(apis).filter(([name]) => served.has(name));
  const owners = ownersOf(described);
  const isShared = (sentence: string): boolean => (owners.get(sentence)?.length ?? 0) > 1;
  const single = described.map(([name, { title, instructions = "" }]) => {
    const own = sentencesOf(instructions).filter((sentence) => !isShared(sentence));
    return `API ${name}: ${own.join(" ") || `${title}.`}`;
  });
  return [...single, ...sharedTexts(owners, described.length)].join(" ");
}

const sentencesOf = (instructions: string): readonly string[] =>
  instructions.split(SENTENCE_BREAK).filter(Boolean);

/** Names of the APIs that say a sentence. */
function ownersOf(
  apis: readonly (readonly [string, Pick<ApiDefinition, "instructions">])[],
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const [name, { instructions = "" }] of apis)
    for (const sentence of new Set(sentencesOf(instructions)))
      owners.set(sentence, [...(owners.get(sentence) ?? []), name]);
  return owners;
}

/** Sentences of the same APIs, after the names of these. */
function sharedTexts(
  owners: ReadonlyMap<string, readonly string[]>,
  count: number,
): readonly string[] {
  const byApis = new Map<string, string[]>();
  for (const [sentence, names] of owners) {
    if (names.length < 2) continue;
    const key = names.length === count ? "All APIs" : `APIs ${names.join(", ")}`;
    byApis.set(key, [...(byApis.get(key) ?? []), sentence]);
  }
  return [...byApis].map(([key, sentences]) => `${key}: ${sentences.join(" ")}`);
}
