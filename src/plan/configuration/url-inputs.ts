/** `resolve: {url: …}`: inputs that also take the URL of a thing. */
import type { SourceLocation } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { type JsonSchema, typesOf } from "../../json.js";
import type { UrlInput } from "../../runtime/types.js";
import { changeInput, inputProperties } from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { appendSentences, joinWithOr } from "../text/sentences.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { findInput } from "./inputs.js";

const VARIABLE = /\{([^{}]*)\}/g;

/** Lets an input take URLs of some forms, too. The inputs that a URL has become optional. */
export function applyUrls(
  tool: PlannedTool,
  input: PlannedInput,
  templates: readonly string[],
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  const named = templates.map((template) => nameInputs(tool, template, location, diagnostics));
  const valid = named.filter((template) => template !== undefined);
  if (valid.length < templates.length) return tool;
  const problem = valid.map((template) => problemOf(template, input.name)).find(Boolean);
  if (problem !== undefined) {
    diagnostics.add(
      "config-resolve",
      `${quoteText(input.name)} of ${tool.definition.name} cannot be read from URLs: ${problem}.`,
      location,
      "Write the form of a URL: https://host/{owner}/{repo}/issues/{number}.",
    );
    return tool;
  }
  return withUrls(tool, input, valid);
}

/** A template with the names that its inputs have in the tool; undefined after an error. */
function nameInputs(
  tool: PlannedTool,
  template: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const keys = [...template.matchAll(VARIABLE)].map(([, key = ""]) => key);
  const names = new Map(
    keys.map((key) => [key, findInput(tool, key, location, diagnostics)] as const),
  );
  for (const [key, target] of names)
    if (target && target.input === undefined)
      diagnostics.add(
        "config-resolve",
        `${quoteText(key)} is not an input of ${tool.definition.name}, because the server sets its value.`,
        location,
        "Write its value in the URL instead of its name.",
      );
  if ([...names.values()].some((target) => target?.input === undefined)) return undefined;
  return template.replace(VARIABLE, (_, key: string) => `{${names.get(key)?.input}}`);
}

function problemOf(template: string, input: string): string | undefined {
  if (!/^https?:\/\/[^/?#\s]+\/[^?#\s]*$/.test(template))
    return `${quoteText(template)} is not a URL with a path and without a query`;
  if (!template.includes(`{${input}}`)) return `${quoteText(template)} does not have {${input}}`;
  if (template.includes("}{")) return `two values of ${quoteText(template)} follow each other`;
  const variables = template.match(VARIABLE) ?? [];
  return new Set(variables).size < variables.length
    ? `${quoteText(template)} has a value twice`
    : undefined;
}

function withUrls(
  tool: PlannedTool,
  { name }: PlannedInput,
  templates: readonly string[],
): PlannedTool {
  const { definition } = tool;
  const properties = inputProperties(definition);
  // A value that only one of several forms has is not known from a URL.
  const variables = templates.map((template) =>
    [...template.matchAll(VARIABLE)].map(([, input = ""]) => input),
  );
  const stated = (variables[0] ?? []).filter((one) => variables.every((all) => all.includes(one)));
  const others = stated.filter((one) => one !== name);
  const needs = others.filter((one) =>
    tool.inputs.some((input) => input.name === one && input.required),
  );
  const isNumber = [...new Set(variables.flat())].filter((one) =>
    takesNumber(properties[one] ?? {}),
  );
  const isStrict = !takesText(properties[name] ?? {});
  const url: UrlInput = { templates, needs, isNumber, ...(isStrict && { isStrict }) };
  const sentence = `Or its URL: ${joinWithOr(templates)}.`;
  const accepting = changeInput(tool, name, (input, schema) => {
    const description = appendSentences(input.description, sentence);
    return {
      input: { ...input, description, type: orUrl(input.type) },
      schema: { ...orUrl(schema), description },
    };
  });
  const optional = others.reduce(
    (current, other) =>
      changeInput(current, other, (input, schema) => {
        const description = appendSentences(input.description, `Omit it if ${name} is a URL.`);
        return {
          input: { ...input, required: false, description },
          schema: { ...schema, description },
        };
      }),
    accepting,
  );
  return {
    ...optional,
    definition: { ...optional.definition, urls: { ...definition.urls, [name]: url } },
    reasons: [...optional.reasons, `${quoteText(name, 60)} also takes a URL, as configured.`],
  };
}

/** Parts of a schema that do not constrain its values. */
const ANNOTATIONS = ["description", "examples", "default", "title"] as const;

/** A schema that also takes URLs. */
function orUrl(schema: JsonSchema): JsonSchema {
  if (takesText(schema)) return schema;
  const rest: Record<string, unknown> = { ...schema };
  const annotations: Record<string, unknown> = {};
  for (const key of ANNOTATIONS)
    if (key in rest) {
      annotations[key] = rest[key];
      delete rest[key];
    }
  const url = { type: "string", pattern: "^https?://" };
  return { anyOf: [rest, url], ...annotations } as JsonSchema;
}

function takesText({ type, anyOf = [], ...rest }: JsonSchema): boolean {
  const limits = ["pattern", "format", "enum", "const", "maxLength", "oneOf", "allOf", "$ref"];
  const isText = typesOf({ type } as JsonSchema).includes("string");
  return (
    (isText && limits.every((key) => !(key in rest))) ||
    anyOf.some((one) => typeof one === "object" && takesText(one))
  );
}

function takesNumber(schema: JsonSchema): boolean {
  const types = [schema, ...((schema.anyOf ?? []) as readonly JsonSchema[])].flatMap((one) =>
    typesOf(one),
  );
  return types.includes("integer") || types.includes("number");
}
