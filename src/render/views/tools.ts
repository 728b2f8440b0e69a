/** Views of tools, of their index and of their contract test. */
import { joinFirst } from "../../diagnostics/index.js";
import { isObject, type JsonSchema } from "../../json.js";
import type { OperationRef } from "../../plan/operations/types.js";
import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import { rulesOf } from "../../runtime/security-schemes.js";
import type { OperationBinding, ParameterSource, RequestMapping } from "../../runtime/types.js";
import {
  type Code,
  type ConstantLookup,
  docComment,
  fileName,
  filePath,
  type FilePath,
  identifier,
  literal,
  memberKey,
  stringLiteral,
  ts,
  uniqueIdentifier,
} from "../code/index.js";
import { acceptedType } from "../typescript/input-type.js";
import {
  memberBlock,
  typeDeclaration,
  typeMember,
  type TypeScope,
  unlistedText,
} from "../typescript/schema-type.js";
import { fileHeader, SchemaImports, type SchemaNames } from "./schemas.js";
import type { ContractTestView, ToolIndexView, ToolView } from "./views.js";

/** Indentation of the members of the definition and of the input type. */
const INDENT = 2;
/** Names that the files of tools and of workflow tools import. */
const TOOL_NAMES = ["defineTool"];
const WORKFLOW_NAMES = ["defineWorkflowTool", "workflow"];
/** Maximum operations in the header. */
const MAX_OPERATIONS = 4;

/** Types of a project by name, in model form. */
export type NamedTypes = ReadonlyMap<string, JsonSchema>;

/** The types of a plan by name. */
export const namedTypes = ({ types }: Pick<ToolPlan, "types">): NamedTypes =>
  new Map(types.map(({ name, schema }) => [name, schema]));

/**
 * `src/tools/[toolset]/[tool].ts`
 * @param source base name of the document
 * @param names names of the types and schemas that it may import
 * @param types the types that these names stand for
 */
export function toolView(
  { tool, identifier: constant }: ToolModule,
  source: string,
  names: SchemaNames,
  types: NamedTypes,
): ToolView {
  const stem = constant.charAt(0).toUpperCase() + constant.slice(1);
  const inputType = identifier(`${stem}Input`);
  const outputType = identifier(`${stem}Output`);
  const imports = new SchemaImports(
    names,
    new Set([constant, inputType, outputType, ...(tool.workflow ? WORKFLOW_NAMES : TOOL_NAMES)]),
  );
  const scope: TypeScope = { nameOf: (ref) => imports.nameOf(ref), circular: new Set() };
  const input = inputDeclaration(inputType, tool, scope, types);
  const output =
    tool.output && typeDeclaration(outputType, tool.output, scope, tool.definition.outputSchema);
  const definition = definitionView(tool.definition, imports.constantOf);
  return {
    header: fileHeader(`${origin(tool.operations)} in ${source}`),
    identifier: constant,
    inputType,
    input,
    outputType: tool.output ? outputType : ts`void`,
    output,
    schemaImports: imports.clause(),
    ...definition,
  };
}

type DefinitionField =
  | "name"
  | "title"
  | "description"
  | "annotations"
  | "inputSchema"
  | "outputSchema"
  | "operations"
  | "hidden"
  | "fullDescription"
  | "fullInputDescriptions"
  | "toolset"
  | "effect"
  | "keywords"
  | "producers"
  | "onError"
  | "errorCodes"
  | "timeoutMs"
  | "approve"
  | "sends"
  | "asks"
  | "urls";

function definitionView(
  definition: PlannedTool["definition"],
  constantOf: ConstantLookup,
): Pick<ToolView, DefinitionField> {
  const { name, title, description, outputSchema, toolset, effect } = definition;
  const { fullDescription, keywords, producers, onError, errorCodes, timeoutMs } = definition;
  const { fullInputDescriptions, approve, sends, asks, urls, hidden } = definition;
  const field = (key: DefinitionField): Code =>
    literal(definition[key], INDENT, INDENT + key.length + 3, constantOf);
  return {
    name: stringLiteral(name),
    title: stringLiteral(title),
    description: stringLiteral(description),
    annotations: field("annotations"),
    inputSchema: field("inputSchema"),
    outputSchema: outputSchema && field("outputSchema"),
    operations: literal(
      definition.operations.map(withoutEmptyParts),
      INDENT,
      INDENT + 13,
      constantOf,
    ),
    hidden: hidden && field("hidden"),
    fullDescription: fullDescription === undefined ? undefined : stringLiteral(fullDescription),
    fullInputDescriptions: fullInputDescriptions && field("fullInputDescriptions"),
    toolset: toolset === undefined ? undefined : stringLiteral(toolset),
    effect: effect === undefined ? undefined : stringLiteral(effect),
    keywords: keywords && field("keywords"),
    producers: producers && field("producers"),
    onError: onError && field("onError"),
    errorCodes: errorCodes && field("errorCodes"),
    timeoutMs: timeoutMs === undefined ? undefined : field("timeoutMs"),
    approve: approve === undefined ? undefined : field("approve"),
    sends: sends && field("sends"),
    asks: asks && field("asks"),
    urls: urls && field("urls"),
  };
}

/** An operation without the parts that `defineTool` adds: an empty condition and an empty mapping. */
function withoutEmptyParts(operation: OperationBinding): object {
  const isOmitted = (key: string, value: object): boolean =>
    (key === "whenProvided" || key === "response") && Object.keys(value).length === 0;
  return Object.fromEntries(
    Object.entries(operation).filter(([key, value]) => !isOmitted(key, value as object)),
  );
}

/**
 * The type of a tool's input, without the undocumented fields that an open schema lets pass: an
 * index signature would let hooks use names that do not exist.
 */
function inputDeclaration(
  name: Code,
  {
    inputs,
    definition: { inputSchema, fullInputDescriptions = {} },
  }: Pick<PlannedTool, "definition" | "inputs">,
  scope: TypeScope,
  types: NamedTypes,
): Code {
  const at = { scope, indent: INDENT, depth: 1, isTopLevel: false };
  const { properties = {} } = inputSchema as JsonSchema;
  const members = inputs.map(({ name: input, type, required, description }) => {
    const listed = properties[input] as JsonSchema | undefined;
    const accepted = acceptedType(type, listed, types);
    const isFull = fullInputDescriptions[input] === description;
    const doc = docComment(isFull ? "" : unlistedText(description, listed), INDENT);
    return typeMember(input, accepted, required, doc, { ...at, listed });
  });
  return ts`export interface ${name} ${memberBlock(members, 0)}`;
}

function origin(operations: readonly OperationRef[]): string {
  const names = operations.map(
    ({ operationId, method, path }) => operationId ?? `${method} ${path}`,
  );
  return joinFirst(names, MAX_OPERATIONS);
}

/** A tool and its module. */
export interface ToolModule {
  readonly tool: PlannedTool;
  /** Constant of the tool. */
  readonly identifier: Code;
  /** Path below `src`, or below the folder of its API. */
  readonly path: FilePath;
  /** String literal of the module, as `src/tools/index.ts` imports it. */
  readonly module: Code;
}

/** Names that generated modules declare or import. */
const reservedNames =
  "defineTool tools Tools ToolDefinition ToolTypes AnyTool defineWorkflowTool run".split(" ");

/**
 * Assigns each tool a file below `src/tools` and a constant. Both are unique, also without regard
 * to case.
 */
export function assignToolModules(tools: readonly PlannedTool[]): readonly ToolModule[] {
  const constants = new Set(reservedNames);
  const files = new Set<string>();
  return tools.map((tool) => {
    const identifier = uniqueIdentifier(tool.identifier, constants);
    constants.add(identifier);
    const folder = fileName(tool.toolset);
    const name = uniqueFilePath(
      (n) => filePath`${folder}/${fileName(n)}`,
      tool.definition.name,
      files,
    );
    return {
      tool,
      identifier,
      path: filePath`tools/${name}.ts`,
      module: stringLiteral(`./${name}.js`),
    };
  });
}

function uniqueFilePath(
  at: (name: string) => FilePath,
  wanted: string,
  files: Set<string>,
): FilePath {
  for (let i = 1; ; i++) {
    const name = at(i === 1 ? wanted : `${wanted}_${i}`);
    if (!files.has(name)) return (files.add(name), name);
  }
}

/** `src/tools/index.ts` */
export function toolIndexView(plan: ToolPlan, tools: readonly ToolModule[]): ToolIndexView {
  return {
    header: fileHeader(plan.source),
    type: plan.workflows ? ts`AnyTool` : ts`ToolDefinition`,
    tools: tools.map(({ tool, identifier: constant, module }) => ({
      name: memberKey(tool.definition.name),
      identifier: constant,
      module,
    })),
  };
}

/** Unlike any data, because credentials are redacted in results. */
const SAMPLE_CREDENTIAL = "made-up-credential";

/** Sample values of the environment variables that tool calls need. */
export function sampleEnvironment(plan: ToolPlan): Readonly<Record<string, string>> {
  const apis = [plan.api, ...(plan.otherApis ?? []).map(({ definition }) => definition)];
  const variables = apis.flatMap(({ securitySchemes }) =>
    Object.values(securitySchemes).flatMap((scheme) => rulesOf(scheme).samples(scheme)),
  );
  return Object.fromEntries([
    ...variables.map((variable) => [variable, SAMPLE_CREDENTIAL] as const),
    ...[plan, ...(plan.apis ?? []).map((api) => api.plan)].flatMap(parameterValues),
  ]);
}

/** `test/tools.test.ts` */
export function contractTestView(plan: ToolPlan): ContractTestView {
  const others = plan.otherApis ?? [];
  const credentials = sampleEnvironment(plan);
  const addresses = Object.fromEntries(
    others.map(({ name, definition }) => [definition.envPrefix, `/~${name}`]),
  );
  return {
    header: fileHeader(plan.source),
    envPrefix: stringLiteral(plan.api.envPrefix),
    credentials: literal(credentials, 2, 15),
    otherApis: others.length > 0 ? literal(addresses, 2, 13) : undefined,
  };
}

/** Sample values of the variables for parameters, valid for the API. */
function parameterValues({ tools, mock }: ToolPlan): readonly (readonly [string, string])[] {
  const parameters = new Map(
    mock.operations.flatMap((operation) =>
      operation.parameters.map((parameter) => [parameter.name, parameter.schema] as const),
    ),
  );
  return tools.flatMap(({ definition }) =>
    definition.operations.flatMap(({ request }) => {
      const { pathParams, query, headers, cookies, body } = request;
      const inner = (body?.innerFields ?? []).map(({ path, source }) => [path, source] as const);
      const fields = Object.entries(body?.fields ?? {}).map(
        ([name, source]) => [[name], source] as const,
      );
      return [
        ...[pathParams, query, headers, cookies].flatMap((sources) =>
          Object.entries(sources ?? {}).flatMap(([name, source]) =>
            sampleOf(source, () => parameters.get(name)),
          ),
        ),
        ...[...fields, ...inner].flatMap(([path, source]) =>
          source
            ? sampleOf(source, () => bodyField(request, [...(body?.envelope ?? []), ...path], mock))
            : [],
        ),
      ];
    }),
  );
}

/** A sample of the variable that a source needs. */
function sampleOf(
  source: ParameterSource,
  schemaOf: () => JsonSchema | undefined,
): readonly (readonly [string, string])[] {
  if (typeof source === "string") return [];
  const env = "env" in source ? source.env : "from" in source ? source.defaultEnv : undefined;
  return env === undefined ? [] : [[env, sampleValue(schemaOf())]];
}

/** Schema of a field of a body that has named fields. */
function bodyField(
  { method, path }: RequestMapping,
  names: readonly string[],
  { operations, schemas }: ToolPlan["mock"],
): JsonSchema | undefined {
  const operation = operations.find((one) => one.method === method && one.path === path);
  return names.reduce<JsonSchema | undefined>((schema, name) => {
    const target =
      schema?.$ref === undefined ? schema : schemas[schema.$ref.slice("#/$defs/".length)];
    const found = target?.properties?.[name];
    return isObject(found) ? found : undefined;
  }, operation?.body?.contents[0]?.schema);
}

function sampleValue(schema: JsonSchema | undefined): string {
  const [first] = [schema?.enum, schema?.examples].flatMap((list) =>
    Array.isArray(list) ? (list as readonly unknown[]) : [],
  );
  if (typeof first === "string" || typeof first === "number") return String(first);
  if (schema?.type === "integer" || schema?.type === "number") return String(schema.minimum ?? 1);
  return schema?.type === "boolean" ? "true" : SAMPLE_CREDENTIAL;
}
