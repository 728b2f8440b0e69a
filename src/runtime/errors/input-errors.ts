/** Errors that an API reports for fields, as errors of the inputs of a tool. */
import { propertiesOf, propertySchema } from "../schema/subschemas.js";
import { namesAfter, namesBefore } from "./api-error/name-lists.js";
import { isEmptyValue, ownProperty } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import type { ApiCall, InputProblem } from "../request/types.js";
import type { BodyMapping, ToolDefinition } from "../types.js";
import type { ApiErrorDetails, FieldError } from "./api-error/json-message.js";
import { wrongNames } from "./api-error/message-kind.js";

/** An error that the API reports for one of the tool's inputs. */
interface InputError {
  /** Path from the input: `address.city`. */
  readonly input: string;
  readonly message: string;
}

/** An API error whose fields are mapped to inputs of the tool, where that is possible. */
export interface ApiErrorByInput {
  readonly message: string;
  readonly inputErrors: readonly InputError[];
  /** Errors of fields that no input gives. The message has them, too. */
  readonly otherErrors: readonly FieldError[];
}

/**
 * Maps errors of fields to inputs. The API knows fields by their names on the wire, the agent knows
 * the names of the tool's inputs.
 */
export function mapErrorsToInputs(
  { message, fieldErrors }: ApiErrorDetails,
  call: ApiCall,
): ApiErrorByInput {
  const inputs = inputsByWireName(call);
  const inputErrors: InputError[] = [];
  const otherErrors: FieldError[] = [];
  for (const error of fieldErrors) {
    const input = findInput(error, inputs, call.mapping.body);
    if (input === undefined || !isInput(input, call) || repeatsValue(error, call.input[input]))
      otherErrors.push(error);
    else inputErrors.push({ input, message: error.message });
  }
  const isRepeated = inputErrors.some((error) => error.message === message);
  const others = otherErrors.map((error) => `${error.field}: ${error.message}`);
  const texts = isRepeated ? others : [message, ...others];
  return { message: texts.filter(Boolean).join("; "), inputErrors, otherErrors };
}

/** True for a fact such as `{"name": "web"}`, which names the value of an input and no error of it. */
function repeatsValue({ message }: FieldError, value: unknown): boolean {
  return (typeof value === "string" || typeof value === "number") && message === String(value);
}

/** Words that only name a parameter: `groupID`, `pad_id`. */
const IDENTIFIER = /[a-z][A-Z]|_|^[a-z]+(?:id|key)$/;

/** Inputs that a call omits and the API's message names. */
export function omittedInputs(call: ApiCall, message: string): readonly string[] {
  return inputsNamedIn(call, message).filter((name) => isOmitted(call.input[name]));
}

/** Empty inputs that the API's message calls required or empty. Another value is not what it means. */
export function incompleteInputs(call: ApiCall, message: string): readonly string[] {
  const inputs = inputsByWireName(call);
  return [...new Set(requiredNames(message).flatMap((name) => inputs.get(name) ?? []))].filter(
    (name) => isInput(name, call) && !isOmitted(call.input[name]) && isEmptyValue(call.input[name]),
  );
}

/** Inputs with a value that the API's message calls unknown, invalid or unsupported by their names. */
export function wrongInputs(call: ApiCall, message: string): readonly string[] {
  const inputs = inputsByWireName(call);
  const names = wrongNames(message).map((name) => normalizeFieldName(name.replace(/\W+$/, "")));
  return [...new Set(names.flatMap((name) => inputs.get(name) ?? []))].filter(
    (name) => isInput(name, call) && !isOmitted(call.input[name]),
  );
}

function inputsNamedIn(call: ApiCall, message: string): readonly string[] {
  const inputs = inputsByWireName(call);
  const words = message.match(/[\w-]+/g)?.filter((word) => IDENTIFIER.test(word)) ?? [];
  const names = [...words.map(normalizeFieldName), ...requiredNames(message)];
  const named = names.flatMap((name) => inputs.get(name) ?? []);
  return [...new Set(named)].filter((name) => isInput(name, call));
}

/** Words that say that something is absent, or that it is not what the type demands. */
const ABSENT =
  /\b(?:required|missing|mandatory|must have|must be an?)\b|\b(?:must|please|need to|have to) (?:give|include|pass|provide|specify|supply)\b|\bno [\w-]{1,60}(?: ids?)? (?:(?:was|were) )?(?:given|provided|specified|supplied)\b|(?:\bnot|n't) (?:find|have|contain|include) (?:a |the )?(?:required )?(?:argument|field|key|parameter|property)\b|\b(?:not|n't|must be|is|should be) (?:be )?(?:provided|specified|present|supplied|given|set|empty|blank|null)\b/i;

/** The word before such a statement: `name in body is required`, `key is not provided`. */
const ABSENT_NAME =
  /([\w.$[\]-]{1,80})(?: in (?:body|query|path|header|cookie|formData))?(?: (?:field|parameter|property|value|argument))? (?:is|are|was|were|must|can|cannot|can't|should|may|has|have)\b/gi;

/** `No rrsets given`, `no lease ID was specified`. */
const NOT_GIVEN =
  /\bno ([\w-]{1,60}(?: ids?)?) (?:(?:was|were) )?(?:given|provided|specified|supplied)\b/gi;

/** `Must specify users to add`. */
const TO_GIVE =
  /\b(?:must|please|need to|have to) (?:give|include|pass|provide|specify|supply) (?:an? |the |at least one )?([\w-]{1,60})/gi;

/** `Missing required fields: name, email`, `Missing field in JSON data: name`. */
const MISSING_NAME =
  /\bmissing(?: required)?(?: (?:body|query|path|input))?(?: (?:fields?|parameters?|propert(?:y|ies)|arguments?|values?|inputs?))?(?: (?:from|in|of)\b[\w ]{1,40}(?=:))?:? ([\w.$[\]-]{1,80})/gi;

/** Names that a clause calls required, missing or empty without quoting them, and those joined to them. */
function statedNames(clause: string): readonly string[] {
  const before = [...clause.matchAll(ABSENT_NAME)].flatMap(({ 1: name = "", index }) => [
    ...namesBefore(clause, index),
    name,
  ]);
  const after = [NOT_GIVEN, TO_GIVE, MISSING_NAME].flatMap((pattern) =>
    [...clause.matchAll(pattern)].flatMap(({ 0: all, 1: name = "", index }) => [
      name,
      ...namesAfter(clause, index + all.length),
    ]),
  );
  return [...before, ...after];
}

/** Names that a message quotes, or that it calls required, missing or empty; in one spelling. */
function requiredNames(message: string): readonly string[] {
  const clauses = message
    .slice(0, MAX_MESSAGE)
    .split(/[.;!](?:\s|$)/)
    .filter((clause) => ABSENT.test(clause));
  return clauses.flatMap((clause) => {
    const quoted = [...clause.matchAll(/["'`]([\w.$[\]-]{1,80})["'`]/g)];
    const names = quoted.length > 0 ? quoted.map(([, name = ""]) => name) : statedNames(clause);
    return names.map((name) => normalizeFieldName(removeContainers(name)));
  });
}

/** Maximum number of characters of a message that are searched for names. */
const MAX_MESSAGE = 2000;

const isOmitted = (value: unknown): boolean => value === undefined || value === null;

/** True if a path starts with an input of the tool. The steps of a workflow have other inputs. */
function isInput(path: string, { tool }: ApiCall): boolean {
  const [name = ""] = path.split(".");
  return Object.hasOwn(propertiesOf(tool.inputSchema), name);
}

/** Inputs of a call that its path is filled from. */
export function pathInputs(call: ApiCall): readonly string[] {
  const sources = Object.values(call.mapping.pathParams ?? {});
  return sources.flatMap((source) => inputOf(source) ?? []).filter((name) => isInput(name, call));
}

/** Containers that APIs prefix to the name of a field. They are ignored. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "",
  ...(
    "$ # body requestbody request query querystring path params header headers cookie " +
    "payload data attributes input root"
  ).split(" "),
]);

function findInput(
  { field }: FieldError,
  inputs: ReadonlyMap<string, string>,
  { from: bodyInput, envelope = [] }: Pick<BodyMapping, "from" | "envelope"> = {},
): string | undefined {
  const inside = removeContainers(field, envelope);
  const exact = inputs.get(normalizeFieldName(inside));
  if (exact !== undefined) return exact;
  const steps = inside
    .split(/[./[\]]+/)
    .filter(Boolean)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const input = inputs.get(normalizeFieldName(steps[0] ?? ""));
  if (input !== undefined) return [input, ...steps.slice(1)].join(".");
  if (bodyInput === undefined || steps.length === 0) return undefined;
  return [bodyInput, ...steps].join(".");
}

/**
 * Removes containers: `body.email` → `email`, `#/data/attributes/title` → `title`. A path of
 * containers keeps the last one.
 */
function removeContainers(path: string, envelope: readonly string[] = []): string {
  for (let rest = path; ;) {
    const [, first = "", others = ""] = /^([^./]*)[./](.*)$/s.exec(rest) ?? [];
    const isContainer = CONTAINERS.has(normalizeFieldName(first)) || envelope.includes(first);
    if (others === "" || !isContainer) return rest;
    rest = others;
  }
}

/**
 * Normalizes the spelling of a name: `petId`, `pet_id` and `Pet-Id` are one name, because
 * frameworks rename fields between the wire and their messages.
 */
function normalizeFieldName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

/** Beginning of the headers of a vendor, which messages leave out: `lease ID` for `x-ms-lease-id`. */
const VENDOR = /^x(?:amz|goog|ms)/;

function inputsByWireName({ mapping }: ApiCall): ReadonlyMap<string, string> {
  const locations = [
    mapping.pathParams,
    mapping.query,
    mapping.headers,
    mapping.cookies,
    mapping.body?.fields,
  ];
  const entries = locations
    .flatMap((sources) => Object.entries(sources ?? {}))
    .flatMap(([name, source]) => {
      const input = inputOf(source);
      return input === undefined ? [] : [[normalizeFieldName(name), input] as const];
    });
  // Some frameworks report the names of their own code, which often are the names of the inputs.
  // Names on the wire take precedence.
  return new Map([
    ...entries.map(([name, input]) => [name.replace(VENDOR, ""), input] as const),
    ...entries.map(([, input]) => [normalizeFieldName(input), input] as const),
    ...entries,
  ]);
}

/** Maximum number of problems in one text. An agent corrects them and learns the rest. */
export const MAX_LISTED_PROBLEMS = 20;

/** Maximum length of an example in characters. */
const MAX_EXAMPLE = 200;

/** The parts of a tool that help to correct its inputs. */
export type ToolInputs = Pick<ToolDefinition, "name"> &
  Partial<Pick<ToolDefinition, "inputSchema" | "producers">>;

/** Problems that an example solves. Others name the allowed values or the limit themselves. */
const SOLVED_BY_EXAMPLE =
  /^(?:is (?:required|empty|missing)|must not be empty|expected |.* is not an? |.* does not match )/s;

/**
 * Names the producers of a valid value or an example, as a clause: `; get it from find_pets`. Empty
 * when neither is known.
 */
export function problemHint({ input, problem }: InputProblem, tool: ToolInputs): string {
  if (!SOLVED_BY_EXAMPLE.test(problem)) return "";
  const sources = ownProperty(tool.producers, input)?.slice(0, 2).join(" or ") ?? "";
  if (sources) return `; get ${problem === "is required" ? "it" : "a valid one"} from ${sources}`;
  const example = problem.includes("such as") ? undefined : exampleOf(tool, input);
  return example === undefined ? "" : `; for example ${example}`;
}

function exampleOf({ inputSchema = {} }: ToolInputs, input: string): string | undefined {
  const { examples } = propertySchema(inputSchema, input);
  if (!Array.isArray(examples) || examples.length === 0) return undefined;
  const text = JSON.stringify(examples[0]);
  return text.length <= MAX_EXAMPLE ? text : undefined;
}
