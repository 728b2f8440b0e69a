/** Fields inside the body that the server sets or leaves out, whatever the inputs have. */
import { setField } from "../data/field-paths.js";
import type { BodyMapping, InnerField } from "../types.js";
import {
  addProblem,
  type BindingContext,
  type ParameterValue,
  resolveValue,
} from "./parameter-source.js";
import type { SerializableValue } from "./serialize.js";

/** Applies the inner fields of a body to its fields. */
export function applyInnerFields(
  fields: readonly ParameterValue[],
  { innerFields = [] }: BodyMapping,
  binding: BindingContext,
): readonly ParameterValue[] {
  return innerFields.reduce<readonly ParameterValue[]>((current, inner) => {
    const [name = "", ...path] = inner.path;
    const value = valueOf(inner, binding);
    const hasField = current.some((field) => field.name === name);
    if (!hasField && inner.create && value !== undefined)
      return [...current, createdField(name, path, value, binding)];
    return current.map((field) =>
      field.name === name
        ? withValue(field, setField(field.value, path, value, inner.create))
        : field,
    );
  }, fields);
}

/** Applies the inner fields of a body that is one input. */
export function applyInnerFieldsToBody(
  field: ParameterValue,
  { innerFields = [] }: BodyMapping,
  binding: BindingContext,
): ParameterValue {
  return innerFields.reduce(
    (current, inner) =>
      withValue(
        current,
        setField(current.value, inner.path, valueOf(inner, binding), inner.create),
      ),
    field,
  );
}

const withValue = (field: ParameterValue, value: unknown): ParameterValue => ({
  ...field,
  value: value as SerializableValue,
});

/** The value of an inner field; `undefined` for none. */
function valueOf({ path, source }: InnerField, binding: BindingContext): unknown {
  return source && resolveValue(path.join("."), source, binding)?.value;
}

function createdField(
  name: string,
  path: readonly string[],
  value: unknown,
  binding: BindingContext,
): ParameterValue {
  return {
    name,
    value: setField({}, path, value, true) as SerializableValue,
    reportProblem: (problem) =>
      addProblem(binding, "", `the fixed value of ${JSON.stringify(name)} ${problem}`),
  };
}
