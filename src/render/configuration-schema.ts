/** The schema of `mcp-gen.yaml` with the names of one document, which editors complete. */
import { isObject } from "../json.js";
import { allTools } from "../plan/hidden-tools.js";
import type { OperationRef } from "../plan/operations/types.js";
import type { PlannedTool, ToolPlan } from "../plan/types.js";

type Node = Readonly<Record<string, unknown>>;

/** Beginning of the title, by which the next run recognizes its file. */
export const SCHEMA_TITLE = "mcp-gen.yaml of ";

/**
 * Adds names of tools, operations, inputs and fields to the schema of the configuration. Other names
 * stay valid, because rules may name what the document gets later, and mcp-gen checks names itself.
 * @param base mcp-gen.schema.json
 */
export function documentSchema(base: Node, plan: ToolPlan, parametersOf: ParametersOf): Node {
  const added = plan.apis
    ? serverNodes(plan, plan.apis, parametersOf)
    : documentNodes(plan, parametersOf);
  const { $id: _, ...schema } = combine(base, added);
  return { ...schema, title: `${SCHEMA_TITLE}${plan.api.title}` };
}

/** Names of the parameters and body fields in requests of an API. */
type ParametersOf = (plan: ToolPlan) => readonly string[];

function documentNodes(plan: ToolPlan, parametersOf: ParametersOf): Node {
  const operation = oneOf(operationNames(plan));
  const { tools, ...others } = apiNodes(plan, parametersOf(plan));
  const listed = { items: oneOf(ruleNames(plan)) };
  return {
    properties: { tools, ...others, budget: { properties: { listed } } },
    $defs: {
      tool: { properties: { operation } },
      mergeEntry: operation,
    },
  };
}

/** Names below each of several APIs, and those of all tools in keys of the server. */
function serverNodes(
  plan: ToolPlan,
  apis: NonNullable<ToolPlan["apis"]>,
  parametersOf: ParametersOf,
): Node {
  const nodes = apis.map(({ name, plan: member }) => {
    const properties = apiNodes(member, parametersOf(member), operationRule(member));
    return [name, { allOf: [{ $ref: "#/$defs/api" }], properties }];
  });
  const tools = plan.tools.map(({ definition }) => definition.name);
  const inputs = plan.tools.flatMap((tool) =>
    tool.inputs.map(({ name }) => `${tool.definition.name}.${name}`),
  );
  const link = { properties: { input: oneOf(inputs), from: oneOf(tools) } };
  return {
    properties: {
      apis: { properties: Object.fromEntries(nodes) },
      budget: { properties: { listed: { items: oneOf(tools) } } },
      links: { items: link },
    },
  };
}

/** Nodes of the keys that have names of one API. @param rule what every rule of a tool has */
function apiNodes(plan: ToolPlan, parameters: readonly string[], rule: Node = {}): Node {
  const names = ruleNames(plan);
  const rules = allTools(plan).map((tool, i) => [names[i], combine(toolNode(tool), rule)]);
  const operations = { items: oneOf(operationNames(plan)) };
  const match = { properties: { operations } };
  return {
    tools: { properties: Object.fromEntries(rules) },
    parameters: { properties: keys(parameters) },
    select: { properties: { rules: { items: { properties: { match } } } } },
  };
}

/** The operations of a rule: those of its API. */
function operationRule(plan: ToolPlan): Node {
  const operation = oneOf(operationNames(plan));
  return {
    properties: { operation, merge: { items: operation, additionalProperties: operation } },
  };
}

const ruleNames = (plan: ToolPlan): readonly string[] =>
  allTools(plan).map((tool) => ruleName(tool, plan.api.namespace));

const operationNames = (plan: ToolPlan): readonly string[] =>
  [...allTools(plan).flatMap((tool) => tool.operations), ...plan.omitted].flatMap(namesOf);

/** Rules name tools without the namespace. */
function ruleName({ definition: { name } }: PlannedTool, namespace: string | undefined): string {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function namesOf({ operationId, method, path }: OperationRef): readonly string[] {
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
