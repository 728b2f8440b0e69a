import { isObject, type JsonSchema } from "../../json.js";
import { listed } from "../describe/sentences.js";
import { spell } from "../name/title.js";
import { wordsOf } from "../name/words.js";
import type { PlannedTool } from "../types.js";

/** The name where it stands as a word of its own, as in `{pet_id}`. */
export function replaceWord(text: string, from: string, to: string): string {
  return text
    .split(/([A-Za-z0-9_]+)/)
    .map((part) => (part === from ? to : part))
    .join("");
}

/**
 * Whatever else speaks of a renamed input: the field of the result that holds its next value, and
 * sentences of ours.
 */
export function followingRename(tool: PlannedTool, from: string, to: string): PlannedTool {
  const { definition, output } = tool;
  const requests = definition.requests.map((request) =>
    request.read.next && Object.hasOwn(request.read.next, from)
      ? { ...request, read: { ...request.read, next: renamedKey(request.read.next, from, to) } }
      : request,
  );
  return {
    ...tool,
    ...(output && { output: withNext(output, from, to) }),
    definition: {
      ...definition,
      description: inDescription(definition.description, from, to),
      requests,
      ...(definition.outputSchema && {
        outputSchema: withNext(definition.outputSchema as JsonSchema, from, to),
      }),
    },
  };
}

function withNext(schema: JsonSchema, from: string, to: string): JsonSchema {
  const next = schema.properties?.next;
  if (!isObject(next) || !isObject(next.properties) || !Object.hasOwn(next.properties, from))
    return schema;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      next: {
        ...next,
        properties: renamedKey(next.properties as NonNullable<JsonSchema["properties"]>, from, to),
      },
    },
  };
}

/** The entry in its place, under another name. */
function renamedKey<T>(
  record: Readonly<Record<string, T>>,
  from: string,
  to: string,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key === from ? to : key, value]),
  );
}

/** `Find pets by ID, or by q.`, `Needs owner_id.`, `With user_id: …` */
function inDescription(description: string, from: string, to: string): string {
  const [words, others] = [from, to].map((name) => wordsOf(name).map(spell).join(" ")) as [
    string,
    string,
  ];
  const lead = description.replace(/^[A-Z][a-z]+ [^.]*?\bby [^.]*\./, (sentence) =>
    sentence
      .split(/( by | or |, )/)
      .map((part) =>
        part === words || part === `${words}.` ? part.replace(words, () => others) : part,
      )
      .join(""),
  );
  return lead.replace(/\b(?:Needs|With) [^.:]*[.:]/g, (sentence) =>
    replaceWord(sentence, from, to),
  );
}

/**
 * The description of a tool that has lost an input: `Find pets by ID, or by status or name.` does
 * not speak of it any more.
 */
export function withoutWay(description: string, name: string): string {
  const gone = wordsOf(name).map(spell).join(" ");
  return description.replace(
    /^([A-Z][a-z]+ [^.:]*?) by ([^.:]*)\./,
    (sentence, start: string, ways: string) => {
      const lists = ways.split(/, or by /).map((list) => list.split(/, | or | and /));
      if (!lists.flat().includes(gone)) return sentence;
      const left = lists
        .map((list) => list.filter((one) => one !== gone))
        .filter((list) => list.length > 0);
      return left.length === 0
        ? `${start}.`
        : `${start} by ${left.map((list) => listed(list).replace(/ and ([^,]*)$/, " or $1")).join(", or by ")}.`;
    },
  );
}
