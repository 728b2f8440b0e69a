/** The schema of `mcp-gen.yaml` with the names of one document, which editors complete. */
import { isObject } from "../json.js";
import type { OperationRef } from "../plan/operations/types.js";
import type { PlannedTool, ToolPlan } from "../plan/types.js";

type Node = Readonly<Record<string, unknown>>;

/** Beginning of the title, by which the next run recognizes its file. */
export const SCHEMA_TITLE = "mcp-gen.yaml of ";

/**
 * Adds names of tools, operations, inputs and fields to the schema of the configuration. Other names
 * stay valid, because rules may name what the document gets later, and mcp-gen checks names itself.
 * @param base mcp-gen.schema.json
 * @param parameters names of parameters and body fields in requests
 */
export function documentSchema(base: Node, plan: ToolPlan, parameters: readonly string[]): Node {
  const { tools, omitted, api } = plan;
  const operations = [...tools.flatMap((tool) => tool.operations), ...omitted];
  const names = tools.map((tool) => ruleName(tool, api.namespace));
  const added: Node = {
    properties: {
      tools: { properties: Object.fromEntries(tools.map((tool, i) => [names[i], toolNode(tool)])) },
      parameters: { properties: keys(parameters) },
      budget: { properties: { listed: { items: oneOf(names) } } },
    },
    $defs: {
      tool: { properties: { operation: oneOf(operations.flatMap(operationNames)) } },
      mergeEntry: oneOf(operations.flatMap(operationNames)),
      selectRule: {
        properties: {
          match: {
            properties: {
              operations: { items: oneOf(operations.flatMap(operationNames)) },
            },
          },
        },
      },
    },
  };
  const { $id: _, ...schema } = combine(base, added);
  return { ...schema, title: `${SCHEMA_TITLE}${api.title}` };
}

/** Rules name tools without the namespace. */
function ruleName({ definition: { name } }: PlannedTool, namespace: string | undefined): string {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function operationNames({ operationId, method, path }: OperationRef): readonly string[] {
  return [...(operationId === undefined ? [] : [operationId]), `${method} ${path}`];
}

/** A rule of one tool: its inputs and fields in addition to what every rule has. */
function toolNode({ definition, inputs }: PlannedTool): Node {
  const names = inputs.map(({ name }) => name);
  const fields = oneOf(fieldNames(definition.outputSchema));
  return {
    description: definition.description,
    allOf: [{ $ref: "#/$defs/tool" }],
    properties: {
      inputs: { properties: { ...keys(names), only: { items: oneOf(names) } } },
      output: {
        properties: {
          pick: { items: fields },
          drop: { items: fields },
          fields: { items: fields },
          rename: { properties: keys(fieldNames(definition.outputSchema)) },
        },
      },
    },
  };
}

/** Fields of a result or of the items of its list, and those one level inside. */
function fieldNames(schema: unknown): readonly string[] {
  const root = isObject(schema) ? schema : {};
  const top = propertiesOf(root, root);
  const [[, only] = []] = Object.entries(top).filter(([, field]) => isList(field, root));
  const source = only === undefined ? top : propertiesOf(only, root);
  return Object.entries(source).flatMap(([name, field]) => [
    name,
    ...Object.keys(propertiesOf(field, root)).map((inner) => `${name}.${inner}`),
  ]);
}

/** Properties of a schema, or of the items of a list. */
function propertiesOf(schema: unknown, root: Node): Node {
  const resolved = resolve(schema, root);
  if (isObject(resolved.properties)) return resolved.properties;
  return resolved.items === undefined ? {} : propertiesOf(resolve(resolved.items, root), {});
}

const isList = (schema: unknown, root: Node): boolean => resolve(schema, root).items !== undefined;

/** The schema that a reference to `$defs` names, or the schema itself. */
function resolve(schema: unknown, root: Node): Node {
  if (!isObject(schema)) return {};
  const [, name] = /^#\/\$defs\/(.+)$/.exec(String(schema.$ref ?? "")) ?? [];
  const found = name !== undefined && isObject(root.$defs) ? root.$defs[name] : undefined;
  return isObject(found) ? found : schema;
}

/** One of some texts, which editors complete, or any other. */
const oneOf = (texts: readonly string[]): Node =>
  texts.length === 0 ? {} : { anyOf: [{ enum: [...new Set(texts)] }, {}] };

const keys = (names: readonly string[]): Node =>
  Object.fromEntries(names.map((name) => [name, {}]));

/** Merges objects deeply. */
function combine(base: Node, added: Node): Node {
  const entries = Object.entries(added).map(([key, value]) => {
    const before = base[key];
    return [key, isObject(before) && isObject(value) ? combine(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}
