/** Tools and operations whose parameters are single values, and so need no style. */
import { isObject, type JsonSchema } from "../json.js";
import type { Operation, Parameter } from "../model/types.js";
import type { ParameterSource, SeveralIds, ToolDefinition } from "../runtime/types.js";
import { kindsOf } from "./typescript/kinds.js";

/** Styles that write a single value as it is. */
const PLAIN_STYLES: ReadonlySet<string> = new Set(["simple", "form", "cookie"]);

/** True if the schema of a value allows neither lists nor objects. */
function isScalar(schema: unknown, named: ReadonlyMap<string, JsonSchema>): boolean {
  const kinds = kindsOf(schema, named);
  return kinds !== undefined && !kinds.has("array") && !kinds.has("object");
}

/** True if all requests of a tool have no body, and single values as parameters. */
export function sendsOnlyScalars({ inputSchema, operations }: ToolDefinition): boolean {
  const { properties = {}, $defs = {} } = inputSchema as JsonSchema;
  const named = new Map(Object.entries($defs as Readonly<Record<string, JsonSchema>>));
  return operations.every(({ request, severalIds }) => {
    const { pathParams, query, headers, cookies, body, querystring } = request;
    const sources = [pathParams, query, headers, cookies].flatMap((one) =>
      Object.values(one ?? {}),
    );
    const isOne = (input: string): boolean =>
      isScalar(withoutList(properties[input], takesSeveral(severalIds, input)), named);
    return !body && !querystring && sources.every((source) => isScalarSource(source, isOne));
  });
}

const takesSeveral = (several: SeveralIds | undefined, input: string): boolean =>
  several !== undefined && [several.input, ...(several.others ?? [])].includes(input);

/** The schema of one ID, where a call may have a list of them, which is the last form. */
function withoutList(schema: unknown, hasList: boolean): unknown {
  if (!hasList || !isObject(schema) || !Array.isArray(schema.anyOf)) return schema;
  return { ...schema, anyOf: schema.anyOf.slice(0, -1) };
}

function isScalarSource(source: ParameterSource, isOne: (input: string) => boolean): boolean {
  if (typeof source === "string") return isOne(source);
  const {
    style = "form",
    contentType,
    isJson,
    value,
  } = source as {
    readonly style?: string;
    readonly contentType?: string;
    readonly isJson?: true;
    readonly value?: unknown;
  };
  if (!PLAIN_STYLES.has(style) || contentType !== undefined || isJson) return false;
  return "from" in source ? isOne(source.from) : typeof value !== "object" || value === null;
}

/**
 * True if all parameters of an operation are single values.
 * @param named schemas by name
 */
export function takesOnlyScalars(
  { parameters }: Pick<Operation, "parameters">,
  named: ReadonlyMap<string, JsonSchema>,
): boolean {
  const isPlain = ({ style, contentType, in: location, schema }: Parameter): boolean =>
    PLAIN_STYLES.has(style) &&
    contentType === undefined &&
    location !== "querystring" &&
    isScalar(schema, named);
  return parameters.every(isPlain);
}
