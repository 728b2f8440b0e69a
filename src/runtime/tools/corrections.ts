/** Tools as their API takes them, after it has contradicted its document. */
import { fnv1a } from "../data/fnv.js";
import { addNewest, nearestNames } from "../data/values.js";
import type { Demands } from "../errors/demands.js";
import { jsonInputs } from "../request/json-fields.js";
import { inputOf } from "../request/parameter-source.js";
import type { InputProblem } from "../request/types.js";
import { propertiesOf } from "../schema/subschemas.js";
import type { JsonSchema, OperationBinding, RequestMapping, ToolDefinition } from "../types.js";

/** A call that was refused before it was sent. */
export interface RefusedCall {
  /** Nobody else takes up what its caller is offered. */
  readonly caller: string;
  readonly tool: object;
  readonly args: unknown;
  readonly problems: readonly InputProblem[];
}

/** The corrections of a server process. They have names of inputs, never values. */
export interface Corrections {
  /** Records what an API demands of a request of a tool. */
  add(tool: ToolDefinition, request: RequestMapping, demands: Demands): void;
  /**
   * Offers a caller the bodies that the document of a tool lacks, after a call whose only problems
   * are unknown inputs: the agent may know better. Returns the advice, or undefined if the tool has
   * none.
   */
  offerBody(call: RefusedCall): string | undefined;
  /**
   * Offers a caller to send unknown inputs of a read in its query, after a call with no other
   * problem. Returns the advice, or undefined if the tool takes no parameters there.
   */
  offerQuery(call: RefusedCall): string | undefined;
  /**
   * Offers a caller to send inputs of other operations of a read in the query of the chosen one.
   * Returns the advice, or undefined if the same was offered before, so that they are sent.
   */
  offerOtherQuery(call: RefusedCall): string | undefined;
  /**
   * Offers a caller to send a call whose problems are only those that the document states. Returns
   * the advice to send it as it is, or undefined if it has another problem.
   */
  offerAsGiven(call: RefusedCall): string | undefined;
  /**
   * The tool as it was offered to the same caller for such a call: with a body, or without types.
   * A tool that removes nothing, or whose text tells of the body with these fields, has a body
   * without an offer. One that removes nothing takes objects and lists in a JSON body in place of
   * texts.
   */
  asOffered(call: RefusedCall): ToolDefinition | undefined;
  /** The tool with its corrections. */
  of<Tool extends object>(tool: Tool): Tool;
}

/** Creates corrections without any. The tools are those of the server, so that they are few. */
export function createCorrections(): Corrections {
  const corrected = new Map<string, ToolDefinition>();
  const offered = new Set<string>();
  return {
    add: (tool, request, demands) => {
      const { types, fields, body } = demands;
      if (types.length === 0 && fields.length === 0 && body === undefined) return;
      corrected.set(tool.name, correct(tool, request, demands));
    },
    offerBody: (call) => {
      const { tool } = call;
      if (!isOfApi(tool) || !lacksInputs(tool, call)) return undefined;
      addNewest(offered, bodyKey(tool, call), MAX_OFFERED);
      const [given, sent] = isWholeBody(call)
        ? ["it", "it is then sent as the body"]
        : ["these fields", "they are then sent as a JSON body"];
      return (
        `The documentation of ${tool.name} declares no body. If the API takes ${given} all the same, ` +
        `call ${tool.name} again with the same input: ${sent}.`
      );
    },
    offerQuery: (call) => {
      const { tool } = call;
      if (!isOfApi(tool) || !lacksParameters(tool, call)) return undefined;
      addNewest(offered, queryKey(tool, call), MAX_OFFERED);
      const [these, they] =
        call.problems.length === 1 ? ["this parameter", "it is"] : ["these parameters", "they are"];
      return (
        `If the API takes ${these} all the same, call ${tool.name} again with the same input: ` +
        `${they} then sent in the query.`
      );
    },
    offerOtherQuery: (call) => {
      const { tool } = call;
      if (!isOfApi(tool) || offered.has(queryKey(tool, call))) return undefined;
      addNewest(offered, queryKey(tool, call), MAX_OFFERED);
      const [these, they] = call.problems.length === 1 ? ["it", "it is"] : ["them", "they are"];
      return (
        `If the API takes ${these} here all the same, call ${tool.name} again with the same ` +
        `input: ${they} then sent in the query.`
      );
    },
    offerAsGiven: (call) => {
      const { tool, problems } = call;
      if (!isOfApi(tool) || !problems.every((one) => isDisputed(one, tool, call))) return undefined;
      addNewest(offered, callKey(tool, call), MAX_OFFERED);
      const values = problems.filter(({ isMissing }) => !isMissing);
      const these = values.length === 1 ? "this value" : "these values";
      const takes = values.length === 0 ? "the call" : these;
      return (
        `If the API takes ${takes} all the same, call ${tool.name} again with the same input: ` +
        "it is then sent as given."
      );
    },
    asOffered: (call) => {
      const { tool, problems } = call;
      if (!isOfApi(tool)) return undefined;
      if (offered.has(queryKey(tool, call)) && lacksParameters(tool, call))
        return withParameters(tool, problems);
      if (offered.has(callKey(tool, call)) || takesStructures(tool, problems))
        return withoutTypes(tool, problems);
      const isSent = offered.has(bodyKey(tool, call)) || !mayRemove(tool) || isToldOf(call, tool);
      return isSent && lacksInputs(tool, call)
        ? withLackingBodies(tool, isWholeBody(call))
        : undefined;
    },
    of: (tool) => {
      if (!("operations" in tool) || !("name" in tool)) return tool;
      const { inputSchema, operations } = corrected.get(tool.name as string) ?? {};
      return inputSchema ? { ...tool, inputSchema, operations } : tool;
    },
  };
}

/** Maximum number of offers, of all callers together. */
const MAX_OFFERED = 1_000;

/** Identifies a call of a caller by a number, so that nothing has its values. */
const callKey = ({ name }: ToolDefinition, { caller, args }: RefusedCall): string =>
  `${name} ${fnv1a(JSON.stringify(args) ?? "")} ${caller}`;

/** Identifies a body that a caller may send. */
const bodyKey = ({ name }: ToolDefinition, call: RefusedCall): string =>
  `${name} ${isWholeBody(call) ? "body" : "fields"} ${call.caller}`;

/** Identifies the parameters that a caller may send, also with other values and for other pages. */
const queryKey = ({ name }: ToolDefinition, { caller, problems }: RefusedCall): string =>
  `${name} query ${problems.map(({ input }) => input).join(" ")} ${caller}`;

const isWholeBody = ({ problems }: RefusedCall): boolean =>
  problems.every(({ input }) => input === "body");

/** True if the text of a tool tells of a body with each of the unknown inputs. */
function isToldOf({ problems }: RefusedCall, { description }: ToolDefinition): boolean {
  if (!/\bbody\b/i.test(description)) return false;
  const words = new Set(description.split(/[^\p{L}\p{N}_-]+/u));
  return problems.every(({ input }) => input !== "body" && words.has(input));
}

const isOfApi = (tool: object): tool is ToolDefinition =>
  "operations" in tool && "inputSchema" in tool && "name" in tool;

/** True for an input that is neither documented, nor part of one, nor spelled like one. */
function isUnknown(input: string, { inputSchema }: ToolDefinition): boolean {
  const known = Object.keys(propertiesOf(inputSchema));
  const isPart = known.some((name) => isPartOf(input, name));
  return input !== "" && !isPart && nearestNames(input, known, 1).length === 0;
}

/** True if a call is only refused for inputs of a body that the document lacks. */
const lacksInputs = (tool: ToolDefinition, { problems }: RefusedCall): boolean =>
  problems.every(({ input }) => isUnknown(input, tool)) &&
  tool.operations.some(({ request }) => lacksBody(request));

/**
 * True if a read of one operation is only refused for inputs that its document lacks. Only a query
 * with documented parameters gets more.
 */
function lacksParameters(tool: ToolDefinition, { problems, args }: RefusedCall): boolean {
  const [operation, ...others] = tool.operations;
  if (operation === undefined || others.length > 0 || !tool.annotations.readOnlyHint) return false;
  const { method, query = {}, isRaw } = operation.request;
  const isListed = Object.keys(query).length > 0 && isRaw !== true && method === "GET";
  return isListed && problems.every(({ input }) => isParameter(input, args, tool));
}

/** True for an unknown input whose value a query has as a text. */
function isParameter(input: string, args: unknown, tool: ToolDefinition): boolean {
  const value = Object(args)[input] as unknown;
  return (
    isUnknown(input, tool) &&
    value !== null &&
    /^(?:bigint|boolean|number|string)$/.test(typeof value)
  );
}

/** The tool whose query has these inputs by their names. */
function withParameters(tool: ToolDefinition, problems: readonly InputProblem[]): ToolDefinition {
  const names = problems.map(({ input }) => input);
  const properties = {
    ...propertiesOf(tool.inputSchema),
    ...Object.fromEntries(names.map((name) => [name, {}])),
  };
  const operations = tool.operations.map((one) => ({
    ...one,
    request: {
      ...one.request,
      query: { ...one.request.query, ...Object.fromEntries(names.map((name) => [name, name])) },
    },
  }));
  return { ...tool, inputSchema: { ...tool.inputSchema, properties }, operations };
}

/** True if only the document says that a value is wrong, or that a field of a body is required. */
const isDisputed = (problem: InputProblem, tool: ToolDefinition, call: RefusedCall): boolean =>
  (problem.isDisputable === true && !isOutOfPath(problem, tool, call)) ||
  (problem.isMissing === true && isJsonField(problem, tool) && !mayRemove(tool));

/** True for a value that no path can have: an empty one, a list or an object. */
function isOutOfPath(
  { input }: InputProblem,
  { operations }: ToolDefinition,
  { args }: RefusedCall,
): boolean {
  const value = Object(args)[input] as unknown;
  if (value !== "" && typeof value !== "object") return false;
  return operations.some(({ request }) =>
    Object.values(request.pathParams ?? {}).some((source) => inputOf(source) === input),
  );
}

const isJsonField = ({ input }: InputProblem, { operations }: ToolDefinition): boolean =>
  operations.every(({ request }) => jsonInputs(request).has(/^[^.[]*/.exec(input)![0]));

/** True if all that is wrong with a call that removes nothing are structures in place of texts. */
export const takesStructures = (tool: ToolDefinition, problems: readonly InputProblem[]): boolean =>
  !mayRemove(tool) &&
  problems.every((problem) => problem.isStructure && isJsonField(problem, tool));

const withLackingBodies = (tool: ToolDefinition, isWhole: boolean): ToolDefinition =>
  tool.operations
    .filter(({ request }) => lacksBody(request))
    .reduce((open, { request }) => withBody(open, request, isWhole), tool);

/** True for a tool to whose call a field may matter that says how much is removed. */
const mayRemove = ({ annotations, operations }: ToolDefinition): boolean =>
  operations.some(
    ({ request: { method } }) =>
      method === "DELETE" || (method === "POST" && annotations.destructiveHint !== false),
  );

/** The tool with untyped inputs in place of those with problems, none of which is required. */
export function withoutTypes<Tool extends ToolDefinition>(
  tool: Tool,
  problems: readonly InputProblem[],
): Tool {
  const { required = [], ...schema } = tool.inputSchema as JsonSchema;
  const properties = { ...propertiesOf(schema) };
  const isWrong = (name: string): boolean => problems.some(({ input }) => isPartOf(input, name));
  for (const [name, one] of Object.entries(properties))
    if (isWrong(name)) properties[name] = untyped(one);
  const needed = (required as readonly string[]).filter((name) => !isWrong(name));
  return { ...tool, inputSchema: { ...schema, required: needed, properties } };
}

/** True for an input and its parts: `owner`, `owner.name` and `owner[0]`. */
const isPartOf = (input: string, name: string): boolean =>
  input === name || input.startsWith(`${name}.`) || input.startsWith(`${name}[`);

const lacksBody = ({ method, body, isRaw }: RequestMapping): boolean =>
  body === undefined && isRaw !== true && /^(?:DELETE|PATCH|POST|PUT)$/.test(method);

function correct(tool: ToolDefinition, request: RequestMapping, demands: Demands): ToolDefinition {
  const { inputSchema } = tool;
  const properties = { ...propertiesOf(inputSchema) };
  for (const [input] of demands.types) properties[input] = untyped(properties[input]);
  const typed = { ...tool, inputSchema: { ...inputSchema, properties } as JsonSchema };
  return demands.fields.length === 0 && demands.body === undefined
    ? typed
    : withBody(typed, request);
}

/** The tool with a body that takes fields, or as a whole the input `body`. */
function withBody(tool: ToolDefinition, request: RequestMapping, isWhole = false): ToolDefinition {
  const { additionalProperties: _, ...open } = tool.inputSchema;
  const operations = tool.operations.map((one) =>
    isOf(one, request) ? withOpenBody(one, isWhole) : one,
  );
  return { ...tool, inputSchema: open as JsonSchema, operations };
}

const untyped = ({ description }: JsonSchema = {}): JsonSchema => {
  return description === undefined ? {} : { description };
};

const isOf = ({ request }: OperationBinding, { method, path }: RequestMapping): boolean =>
  request.method === method && request.path === path;

/** The body takes what the document lacks: fields as JSON, and a text as it is. */
function withOpenBody(operation: OperationBinding, isWhole: boolean): OperationBinding {
  if (isWhole) {
    const body = { contentType: "text/plain, */*", from: "body" };
    return { ...operation, request: { ...operation.request, body } };
  }
  const body = operation.request.body ?? { contentType: "application/json", fields: {} };
  return { ...operation, request: { ...operation.request, body: { ...body, isOpen: true } } };
}
