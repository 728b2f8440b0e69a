import { sample } from "./sample.js";
import {
  type Fill,
  inputName,
  ownValue,
  type SampledValue,
  sampleValue,
} from "./sampled-values.js";
import type { SchemaSet } from "./schema-set.js";
import type { MockOperation, MockParameter, MockRequestMapping } from "./types.js";

/** Samples of the parameters of an operation that inputs give. */
export function parameterValues(
  operation: MockOperation,
  mapping: MockRequestMapping,
  schemas: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  const sampled = (parameter: MockParameter, from: string | undefined): readonly SampledValue[] => {
    if (from === undefined || (fill === "required" && !parameter.required)) return [];
    const value = parameterValue(parameter, schemas, fill);
    return [
      {
        at: `${parameter.in} ${parameter.name}`,
        value,
        schema: parameter.schema,
        inputs: [[from, value]],
      },
    ];
  };
  return operation.parameters.flatMap((parameter) =>
    sampled(parameter, inputName(sourceOf(parameter, mapping))),
  );
}

/** A sample of a parameter. A path parameter is never empty, even if its example is. */
function parameterValue(
  { in: place, name, schema }: MockParameter,
  schemas: SchemaSet,
  fill: Fill,
): unknown {
  const value = sampleValue(schema, schemas, fill, name);
  return place === "path" && value === ""
    ? sample({ allOf: [schema ?? {}, { minLength: 1 }] }, schemas, { examples: false, hint: name })
    : value;
}

function sourceOf({ in: place, name }: MockParameter, mapping: MockRequestMapping): unknown {
  switch (place) {
    case "path":
      return ownValue(mapping.pathParams, name);
    case "query":
      return ownValue(mapping.query, name);
    case "header":
      return ownValue(mapping.headers, name);
    case "cookie":
      return ownValue(mapping.cookies, name);
    case "querystring":
      return mapping.querystring;
  }
}
