import { diagnostic, type Diagnostic } from "../../diagnostics/index.js";
import { isObject, type JsonSchema } from "../../json.js";
import { memoize } from "../memoize.js";
import { toSentenceCase } from "../names/titles.js";
import { splitWords } from "../names/words.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";
import type { PlannedInput } from "../types.js";
import type { LintContext, LintedTool, LintRule } from "./rule.js";
import { suggestConfig, suggestToolConfig } from "./suggested-fixes.js";

/** Words that say nothing about a value when they are the whole name of an input. */
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
  const inputs = undescribed.slice(0, 5).map((input) => {
    const label = toSentenceCase(splitWords(input.name));
    return [input.name, { description: `${label}: describe its meaning here` }] as const;
  });
  return diagnostic(
    "lint-undocumented-input",
    `${subject} no description in the document`,
    main.location,
    suggestToolConfig(name, { inputs: Object.fromEntries(inputs) }),
  );
};

const isVague = memoize(
  (name) =>
    (name.length <= 2 || VAGUE_NAMES.has(name.toLowerCase())) &&
    splitWords(name).length === 1 &&
    !/^(id|to|in|ip|os|tz|ts)$/i.test(name),
);

function isUndescribed({ name, description }: PlannedInput): boolean {
  if (!isVague(name)) return false;
  const words = splitWords(name);
  const label = `${toSentenceCase(words)}.`;
  return (
    description === label ||
    /^ (?:Default|One of|Format|\d)/.test(
      description.startsWith(label) ? description.slice(label.length) : "",
    )
  );
}

/** Codes without a description of their meaning. */
export const enumMeaning: LintRule = ({ tool, name, main }, { schemas }) => {
  for (const { name: input, type, description } of tool.inputs) {
    const values = type.enum || type.oneOf || type.$ref ? codesIn(type, schemas) : [];
    const isMentioned = (value: string | number): boolean =>
      new RegExp(`(^|\\W)${String(value)}\\W`).test(description);
    if (values.length < 2 || values.slice(0, 2).every(isMentioned)) continue;
    const codes = values.slice(0, 10).map((value) => `${String(value)}: …`);
    const meaning = codes.join("; ");
    return diagnostic(
      "lint-undocumented-enum",
      `The input ${input} of ${name} has ${values.length} codes without a documented meaning`,
      main.location,
      suggestToolConfig(name, { inputs: { [input]: { description: meaning } } }),
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
  const optional = inputs.filter(({ required }) => !required).slice(MAX_INPUTS / 2);
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
