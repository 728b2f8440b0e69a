/** Values of fields inside a body, such as `metadata.namespace`, that no input gives. */
import type { ParameterConfig } from "../../configuration/types.js";
import type { SourceLocation } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import type { JsonSchema } from "../../json.js";
import type { BodyMapping, InnerField } from "../../runtime/types.js";
import { changeInput, replaceSources, sourceInput } from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { isSecretName } from "../secret-names.js";
import {
  fieldAt,
  type FieldPath,
  fieldsInside,
  parseFieldPath,
  requiredFields,
  takesNoText,
  withoutField,
} from "../schemas/field-path.js";
import { listItems } from "../schemas/flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { describeAcceptedValues, matchesSchema } from "../schemas/values.js";
import type { Environment } from "../server-names.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { describeValue, fixedValue } from "./parameter-values.js";

/** Value of an inner field: everything but a default that callers may override. */
export type InnerValue = Exclude<ParameterConfig, { readonly override?: true }> | { env: string };

interface InnerFieldContext {
  readonly schemas: Schemas;
  readonly environment: Environment;
  readonly diagnostics: DiagnosticCollector;
}

/** A field inside a body. */
interface InnerTarget {
  /** Absent if the server sets the field already. */
  readonly from?: { readonly input: PlannedInput; readonly path: FieldPath };
  readonly field: JsonSchema;
  readonly isRequired: boolean;
  /** True if missing objects on the way may be created. */
  readonly create: boolean;
}

/**
 * Sends a value for a field inside the body, or nothing, in all operations of a tool.
 * @returns undefined if no body of the tool has the field
 */
export function applyInnerValue(
  tool: PlannedTool,
  text: string,
  rule: InnerValue,
  location: SourceLocation,
  context: InnerFieldContext,
): PlannedTool | undefined {
  const path = parseFieldPath(text);
  const targets = new Map<string | undefined, InnerTarget>();
  const operations = tool.definition.operations.map((operation) => {
    const { body } = operation.request;
    const target = body && findInnerField(tool, body, path, context.schemas);
    if (!target) return operation;
    targets.set(target.from?.input.name, target);
    const innerFields = [...otherInnerFields(body, path), innerField(path, target, rule)];
    return { ...operation, request: { ...operation.request, body: { ...body, innerFields } } };
  });
  const [first] = targets.values();
  if (!first) return undefined;
  if (!isAccepted(text, rule, first, location, context)) return tool;
  if ("env" in rule) addVariable(text, rule.env, first, context.environment);
  if ("hide" in rule && first.isRequired) reportHidden(text, tool, location, context.diagnostics);
  const bound: PlannedTool = { ...tool, definition: { ...tool.definition, operations } };
  const reason = `${quoteText(text, 60)} is not an input: it ${describeValue(rule)}, as configured.`;
  const edited = [...targets.values()].reduce(
    (current, target) => withoutInnerField(current, target, context.schemas),
    bound,
  );
  return { ...edited, reasons: [...edited.reasons, reason] };
}

/** Tests whether a body of a tool has the field that a path names. */
export function hasInnerField(tool: PlannedTool, text: string, schemas: Schemas): boolean {
  const path = parseFieldPath(text);
  return tool.definition.operations.some(
    ({ request: { body } }) => body && findInnerField(tool, body, path, schemas),
  );
}

/** Paths of the fields inside the bodies of a tool, two levels deep, for suggestions. */
export function innerPaths(tool: PlannedTool, schemas: Schemas): readonly string[] {
  const { operations } = tool.definition;
  return operations.flatMap(({ request: { body } }) => {
    const wireNames = Object.entries(body?.fields ?? {}).map(
      ([name, source]) => [sourceInput(source), `${name}.`] as const,
    );
    const inputs = body?.from === undefined ? wireNames : [[body.from, ""] as const];
    return inputs.flatMap(([input, prefix]) => {
      const type = tool.inputs.find(({ name }) => name === input)?.type;
      return [...(type ? fieldsInside(type, schemas).keys() : [])].map((name) => prefix + name);
    });
  });
}

function findInnerField(
  tool: PlannedTool,
  { fields = {}, from, required = false, innerFields = [] }: BodyMapping,
  path: FieldPath,
  schemas: Schemas,
): InnerTarget | undefined {
  const [name = "", ...rest] = path;
  const known = innerFields.find((one) => one.path.join(".") === path.join("."));
  if (known) return { field: {}, isRequired: false, create: known.create === true };
  const source = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const inputName = from ?? (source && sourceInput(source));
  const input = tool.inputs.find((one) => one.name === inputName);
  const inner = from === undefined ? rest : path;
  const field = input && inner.length > 0 ? fieldAt(input.type, inner, schemas) : undefined;
  if (!input || field === undefined || field === false) return undefined;
  return {
    from: { input, path: inner },
    field: field === true ? {} : resolveSchema(schemas, field),
    isRequired: input.required && isRequiredField(input.type, inner, schemas),
    create:
      (from === undefined ? required : input.required) && canCreate(input.type, inner, schemas),
  };
}

/** Inner fields at other paths: a rule of a tool replaces a value for the whole API. */
const otherInnerFields = (
  { innerFields = [] }: BodyMapping,
  path: FieldPath,
): readonly InnerField[] => innerFields.filter((other) => other.path.join(".") !== path.join("."));

function innerField(
  path: FieldPath,
  { create, isRequired, field }: InnerTarget,
  rule: InnerValue,
): InnerField {
  if ("hide" in rule) return { path };
  const source =
    "env" in rule
      ? {
          env: rule.env,
          ...(isRequired && { required: true }),
          ...(takesNoText(field) && { isJson: true as const }),
        }
      : fixedValue(path.at(-1) ?? "", rule.fixed);
  return { path, source, ...(create && { create }) };
}

/** True if every object on the way requires the next field. */
function isRequiredField(
  schema: AnySchema | undefined,
  [name, ...rest]: FieldPath,
  schemas: Schemas,
): boolean {
  if (schema === undefined || name === undefined) return true;
  return (
    requiredFields(schema, schemas).includes(name) &&
    isRequiredField(fieldsInside(schema, schemas).get(name), rest, schemas)
  );
}

/** True if objects on the way need no other field, and none of them is in a list. */
function canCreate(
  schema: AnySchema | undefined,
  [name, ...rest]: FieldPath,
  schemas: Schemas,
): boolean {
  if (schema === undefined || name === undefined) return true;
  return (
    listItems(schema, schemas) === undefined &&
    requiredFields(schema, schemas).every((required) => required === name) &&
    canCreate(fieldsInside(schema, schemas).get(name), rest, schemas)
  );
}

/** Removes the field from an input, and the input if nothing is left of it. */
function withoutInnerField(
  tool: PlannedTool,
  { from, create }: InnerTarget,
  schemas: Schemas,
): PlannedTool {
  if (!from) return tool;
  const { input, path } = from;
  const type = withoutField(input.type, path, schemas) as JsonSchema;
  if (create && isField(tool, input.name) && fieldsInside(type, schemas).size === 0)
    return replaceSources(tool, ({ source }) =>
      sourceInput(source) === input.name ? undefined : source,
    );
  const defs = (tool.definition.inputSchema["$defs"] ?? {}) as Schemas;
  const required = input.required && !(create && requiredFields(type, schemas).length === 0);
  return changeInput(tool, input.name, (planned, schema) => ({
    input: { ...planned, type, required },
    schema: withoutField(schema, path, defs) as JsonSchema,
  }));
}

/** True for an input that is a field of the body rather than the whole body. */
function isField({ definition }: PlannedTool, input: string): boolean {
  return definition.operations.every(({ request }) => request.body?.from !== input);
}

function isAccepted(
  text: string,
  rule: InnerValue,
  { field }: InnerTarget,
  location: SourceLocation,
  { schemas, diagnostics }: InnerFieldContext,
): boolean {
  if (!("fixed" in rule) || matchesSchema(rule.fixed, field, schemas)) return true;
  diagnostics.add(
    "config-incompatible-value",
    `The value of ${quoteText(text)} does not satisfy the schema of the field, ` +
      `which takes ${describeAcceptedValues(field, schemas)}.`,
    location,
    "Correct it.",
  );
  return false;
}

function addVariable(
  text: string,
  name: string,
  { isRequired }: InnerTarget,
  environment: Environment,
): void {
  environment.addNamed({
    name,
    description: `Value of ${text}, sent with every call that has it.`,
    required: isRequired,
    secret: [text, name].some(isSecretName),
  });
}

function reportHidden(
  text: string,
  { definition }: PlannedTool,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.add(
    "config-hidden-required",
    `The API requires ${quoteText(text)}, but ${definition.name} does not send it.`,
    location,
    "Use fixed or env instead of hide.",
  );
}
