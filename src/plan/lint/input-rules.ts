import { diagnostic, type Diagnostic } from "../../diagnostics/index.js";
import { isObject, type JsonObject, type JsonSchema, typesOf } from "../../json.js";
import { isEssentialField } from "../../key-fields.js";
import type { Content, Operation } from "../../model/types.js";
import { singularizeLast } from "../../language/grammar.js";
import { CONNECTIVES } from "../../language/lexicon.js";
import { toSentenceCase } from "../names/format-name.js";
import { splitWords } from "../../language/words.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { appendSentences, joinWithAnd } from "../text/sentences.js";
import { successResponses } from "../outputs/payload.js";
import type { PlannedInput } from "../types.js";
import {
  type LintContext,
  type LintedTool,
  type LintRule,
  suggestConfig,
  suggestOverlayAction,
  suggestToolConfig,
} from "./rule.js";
import { memoize } from "../../language/patterns.js";

/** Words that do not describe a value if they are the whole name of an input. */
const VAGUE_NAMES = new Set(
  (
    "type data value values flags options body config params filter filters mode kind key " +
    "code info object payload input metadata settings args attributes properties content " +
    "context level target source"
  ).split(" "),
);

/** Inputs without a description and with a vague or very short name. */
export const undescribedInputs: LintRule = ({ tool, name, main }) => {
  const undescribed = tool.inputs.filter(isUndescribed);
  const [first] = undescribed;
  if (!first) return undefined;
  const subject =
    undescribed.length === 1
      ? `The input ${first.name} of ${name} has`
      : `${undescribed.length} inputs of ${name}, such as ${first.name}, have`;
  const described = undescribed.flatMap((input) => {
    const meaning = describeByName(input.name, name, tool.toolset);
    if (meaning === undefined) return [];
    return [[input.name, { description: appendSentences(meaning, input.description) }] as const];
  });
  return diagnostic(
    "lint-undocumented-input",
    `${subject} no description in the document`,
    main.location,
    described.length === 0
      ? "Describe it in the document, or under `inputs` of the tool in mcp-gen.yaml"
      : suggestToolConfig(name, { inputs: Object.fromEntries(described) }),
  );
};

/** Names of inputs for a search text, or for the whole content. */
const SEARCH_TEXT = /^(?:q|query|search)$/i;
const WHOLE_BODY = /^(?:body|payload|data|content)$/i;

/** Text from the names of input and tool: `Kind of the visit document.` */
function describeByName(input: string, tool: string, toolset: string): string | undefined {
  const [, ...words] = tool.split("_");
  const end = words.findIndex((word) => CONNECTIVES.has(word));
  const noun = end < 0 ? words : words.slice(0, end);
  const object = singularizeLast(noun.length > 0 ? noun : toolset.split("_")).join(" ");
  if (SEARCH_TEXT.test(input)) return `Text to search for in each ${object}.`;
  if (WHOLE_BODY.test(input)) return `Content of the ${object}, as the API takes it.`;
  return input.length <= 2 ? undefined : `${toSentenceCase(splitWords(input))} of the ${object}.`;
}

const isVague = memoize(
  (name) =>
    (name.length <= 2 || VAGUE_NAMES.has(name.toLowerCase())) &&
    splitWords(name).length === 1 &&
    !/^(id|to|in|ip|os|tz|ts)$/i.test(name),
);

function isUndescribed({ name, description }: PlannedInput): boolean {
  return isVague(name) && (description === "" || STATES_FACTS.test(description));
}

/** Values, default or format, which the schema states. */
const STATES_FACTS = /^(?:Default: |One of \d|Format: )/;

/** Codes without a description of their meaning. */
export const enumMeaning: LintRule = ({ tool, name, main }, { schemas }) => {
  for (const { name: input, type, description } of tool.inputs) {
    const values = type.enum || type.oneOf || type.$ref ? codesIn(type, schemas) : [];
    const isMentioned = (value: string | number): boolean =>
      new RegExp(`(^|\\W)${String(value)}\\W`).test(description);
    if (values.length < 2 || values.slice(0, 2).every(isMentioned)) continue;
    return diagnostic(
      "lint-undocumented-enum",
      `The input ${input} of ${name} has ${values.length} codes without a documented meaning`,
      main.location,
      `Describe ${joinWithAnd(values.slice(0, 3).map(String))} in the description of the ` +
        "parameter, or under `inputs` of the tool in mcp-gen.yaml",
    );
  }
  return undefined;
};

/** Numbers, and texts of one or two characters. */
function codesIn(type: JsonSchema, schemas: Schemas): readonly (string | number)[] {
  const target = resolveSchema(schemas, type);
  const alternatives = Array.isArray(target.oneOf) ? target.oneOf : [];
  const values = Array.isArray(target.enum)
    ? target.enum
    : alternatives.map((part) => (isObject(part) ? part.const : undefined));
  const codes = values.filter(
    (value): value is string | number =>
      typeof value === "number" || (typeof value === "string" && /^[A-Z0-9]{1,2}$/i.test(value)),
  );
  return codes.length === values.length ? codes : [];
}

/** Maximum inputs of a tool. Hosts and models perform worse beyond it. */
const MAX_INPUTS = 40;

/** Tools with more inputs than that. */
export const manyInputs: LintRule = ({ tool, name, main }) => {
  const { inputs } = tool;
  if (inputs.length <= MAX_INPUTS) return undefined;
  const optional = inputs
    .filter(({ required, name: input }) => !required && !isEssentialField(input))
    .slice(MAX_INPUTS / 2);
  return diagnostic(
    "lint-too-many-inputs",
    `${name} has ${inputs.length} inputs. Hide those that agents never need`,
    main.location,
    suggestToolConfig(name, {
      inputs: Object.fromEntries(optional.map((input) => [input.name, { hide: true }])),
    }),
  );
};

const isCredentialName = memoize((name) => CREDENTIAL.test(name));
const CREDENTIAL_TEXT = /\b(?:authenticat|authoriz|api key|access token|credential|scope)/i;
const CREDENTIAL =
  /^(?:(?:access|auth|api|bearer|session|client)[_-]?(?:token|key|secret)|token|api_?key|secret)$/i;

/** Inputs that are credentials by name and description, on many tools. Each is reported once. */
export function credentialInputs(
  tools: readonly LintedTool[],
  { schemas, envPrefix }: LintContext,
): readonly Diagnostic[] {
  const seen = new Map<string, { readonly linted: LintedTool; count: number }>();
  for (const linted of tools) {
    for (const { name, description, type } of linted.tool.inputs) {
      if (!isCredentialName(name) || !CREDENTIAL_TEXT.test(description)) continue;
      if (typesOf(resolveSchema(schemas, type))[0] !== "string") continue;
      const entry = seen.get(name);
      if (entry) entry.count += 1;
      else seen.set(name, { linted, count: 1 });
    }
  }
  return [...seen]
    .filter(([, { count }]) => count * 5 >= tools.length)
    .map(([name, { linted, count }]) => {
      const owners = count > 1 ? `${linted.name} and ${count - 1} more tools` : linted.name;
      const env = `${envPrefix}_${splitWords(name).join("_").toUpperCase()}`;
      return diagnostic(
        "lint-credential-input",
        `The input ${name} of ${owners} is described as a credential. Models must not handle credentials`,
        linted.main.location,
        suggestConfig("parameters", { [name]: { env } }),
      );
    });
}

/** JSON bodies without a schema. */
export const untypedBody: LintRule = ({ name, main }, { schemas }) => {
  const content = main.body?.contents.find(isJsonContent);
  if (!content || !isUntyped(content.schema, schemas)) return undefined;
  return diagnostic(
    "lint-untyped-body",
    `The document does not describe the fields in the body of ${name}`,
    content.location,
    suggestSchema(content),
  );
};

/** Results without a schema. The model does not know the result, and results are not validated. */
export const untypedOutput: LintRule = ({ name, main }, { schemas }) => {
  const success = successResponses(main.responses);
  const content = success.flatMap(({ contents }) => contents).find(isJsonContent);
  const message = `The document does not describe the result of ${name}`;
  if (content) {
    if (!isUntyped(content.schema, schemas)) return undefined;
    return diagnostic("lint-untyped-output", message, content.location, suggestSchema(content));
  }
  const [first] = success;
  const hasOtherContent = success.some(
    ({ contents, status }) => contents.length > 0 || status === "204",
  );
  if (main.method !== "GET" || !first || hasOtherContent) return undefined;
  const fix = `Add its \`content\` to the response ${first.status}, with a schema or an example`;
  return diagnostic("lint-untyped-output", message, main.location, fix);
};

/** The schema of the document's example as an overlay action, or advice without an example. */
function suggestSchema({ examples = [], location }: Content): string {
  const example = examples.find(
    (value) => (isObject(value) || Array.isArray(value)) && Object.keys(value).length > 0,
  );
  return example === undefined
    ? "Add a schema with its fields to the document, or an example"
    : suggestOverlayAction(location.pointer, { schema: schemaOf(example) });
}

/** Schema that states the fields and types of an example. */
function schemaOf(example: unknown): JsonObject {
  if (Array.isArray(example)) {
    const [item] = example;
    return { type: "array", ...(item !== undefined && { items: schemaOf(item) }) };
  }
  if (isObject(example)) {
    const fields = Object.entries(example).map(([name, value]) => [name, schemaOf(value)] as const);
    return { type: "object", properties: Object.fromEntries(fields) };
  }
  return example === null ? {} : { type: typeof example };
}

const isJsonContent = ({ mediaType }: Content): boolean => /[/+]json\b/i.test(mediaType);

/** True for schemas that name neither fields nor alternatives. */
function isUntyped(schema: JsonSchema | undefined, schemas: Schemas): boolean {
  if (schema === undefined) return true;
  const target = resolveSchema(schemas, schema);
  const { properties, additionalProperties, items, anyOf, oneOf, allOf } = target;
  if (properties && Object.keys(properties).length > 0) return false;
  if (anyOf || oneOf || allOf || target.enum || "const" in target) return false;
  if (isObject(additionalProperties) || items !== undefined) return false;
  return target.type === undefined || target.type === "object" || target.type === "array";
}

/** True when an operation documents an error response. */
export function documentsErrors({ responses }: Operation): boolean {
  return responses.some(({ status }) => /^[45]|^default$/i.test(status));
}
