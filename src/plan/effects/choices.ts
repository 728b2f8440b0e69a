import { type JsonSchema, isObject } from "../../json.js";
import type { OperationFacts, Action } from "../operations/types.js";
import { segmentWords } from "../operations/path.js";
import { splitWords } from "../../language/words.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { effectOfVerb, imperativeOf } from "../../language/verb-effects.js";
import { compositionParts } from "../../json-schema.js";

/** Fields whose value selects the action. */
const ACTION_FIELD = /^(?:action|action_?type|operation|operation_?type|command|cmd)$/i;
/** Parameters that select the action whatever the texts say. */
const COMMAND = /^(?:command|cmd)$/i;
/** Fields that select the action if the path ends in `actions`. */
const TYPE_FIELD = /^(?:type|kind|name|method)$/i;
const ACTIONS_PATH = /^(?:actions?|operations?|commands?|control)$/;

/** Verbs of calls whose action the request names. Others create a resource with an action. */
const GENERAL_VERBS =
  /^(?:apply|dispatch|do|execute|handle|initiate|invoke|manage|perform|process|request|run|send|start|submit|trigger)$/;

/**
 * Actions that the caller can choose in the request: `reboot` and `rebuild` of `POST
 * /servers/{id}/actions`, whose body has a `type` of these values.
 * @param main action that the texts state
 */
export function chosenActions(
  { operation, pathParts }: OperationFacts,
  schemas: Schemas,
  main: Action | undefined,
): readonly Action[] {
  const isActionsPath = ACTIONS_PATH.test(segmentWords(pathParts, -1).at(-1) ?? "");
  const isCommanded = operation.parameters.some(({ name }) => COMMAND.test(name));
  if (!isActionsPath && !isCommanded && !GENERAL_VERBS.test(main?.verb ?? "")) return [];
  const isChoice = (name: string): boolean =>
    ACTION_FIELD.test(name) || (isActionsPath && TYPE_FIELD.test(name));
  const bodies: readonly JsonSchema[] = (operation.body?.contents ?? []).flatMap(({ schema }) =>
    schema ? [schema] : [],
  );
  const parameters = operation.parameters.filter(({ name }) => isChoice(name));
  const fields = [
    ...bodies.flatMap((schema) => fieldsOf(schema, schemas, isChoice)),
    ...parameters.flatMap(({ schema }): readonly JsonSchema[] => (schema ? [schema] : [])),
  ];
  return fields.flatMap((field) => valuesOf(field, schemas)).flatMap(toAction);
}

/** True for `/pods/{id}/{action}` of "Perform an action on a pod": the caller names any action. */
export const takesAnyAction = (
  { operation: { parameters } }: OperationFacts,
  stated: readonly Action[],
): boolean =>
  parameters.some(({ name }) => ACTION_FIELD.test(name)) &&
  stated.some(({ verb, object }) => GENERAL_VERBS.test(verb) && ANY_ACTION.test(object));

const ANY_ACTION = /^(?:an? |the |this |specified |given )*(?:actions?|commands?|operations?)\b/;

/**
 * Commands of a safe method that change something: `DISABLE ALL` of `GET /health?cmd=LIST|DISABLE
 * ALL`. An operation that says that it lists or finds filters by the command, and so may an
 * optional `action`.
 */
export function commandsOfSafeMethod(
  { operation: { parameters } }: OperationFacts,
  schemas: Schemas,
  stated: readonly Action[],
): readonly Action[] {
  if (stated.some(({ verb }) => FILTERING_VERBS.test(verb))) return [];
  return parameters
    .filter(({ name, required }) => COMMAND.test(name) || (required && ACTION_FIELD.test(name)))
    .flatMap(({ schema }): readonly JsonSchema[] => (schema ? [schema] : []))
    .flatMap((schema) => valuesOf(schema, schemas))
    .flatMap(toAction)
    .filter(({ effect }) => effect !== "reads");
}

const FILTERING_VERBS = /^(?:browse|filter|find|list|query|search)$/;

const MAX_DEPTH = 4;

/** Schemas of the fields with such names, also in the alternatives of a schema. */
function fieldsOf(
  schema: JsonSchema,
  schemas: Schemas,
  isChoice: (name: string) => boolean,
  depth = 0,
): readonly JsonSchema[] {
  const { properties = {}, ...rest } = resolveSchema(schemas, schema);
  const own = Object.entries(properties).flatMap(([name, field]) =>
    isChoice(name) && isObject(field) ? [field as JsonSchema] : [],
  );
  if (depth === MAX_DEPTH) return own;
  const parts = alternativesOf(rest).flatMap((part) =>
    fieldsOf(part, schemas, isChoice, depth + 1),
  );
  return [...own, ...parts];
}

const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  compositionParts(schema).filter(isObject);

function valuesOf(schema: JsonSchema, schemas: Schemas, depth = 0): readonly string[] {
  const { const: only, enum: values = [], ...rest } = resolveSchema(schemas, schema);
  const own = [only, ...values].filter((value) => typeof value === "string");
  if (depth === MAX_DEPTH) return own;
  return [...own, ...alternativesOf(rest).flatMap((part) => valuesOf(part, schemas, depth + 1))];
}

function toAction(value: string): readonly Action[] {
  const [first = "", second = "", ...rest] = splitWords(value);
  const phrasal = `${first}_${second}`;
  const verb = effectOfVerb(phrasal) ? phrasal : imperativeOf(first);
  const effect = verb === undefined ? undefined : effectOfVerb(verb);
  if (verb === undefined || effect === undefined) return [];
  return [{ verb, effect, object: (verb === phrasal ? rest : [second, ...rest]).join(" ").trim() }];
}

/** `noOverwriteDirNonDir`: without this option, existing data is overwritten. */
const KEEPS_EXISTING = /^(?:no|dont|do_?not|prevent)_?overwrit/i;

/** Option of the request without which it overwrites existing data. */
export function overwritingOption({
  operation: { parameters },
}: OperationFacts): string | undefined {
  return parameters.find(({ name }) => KEEPS_EXISTING.test(name))?.name;
}
