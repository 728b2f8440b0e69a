/** Serves the prompts and resources of user code. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext as RequestContext,
  type Server,
} from "@modelcontextprotocol/server";
import { callTool } from "../call/call-tool.js";
import type { CallContext } from "../call/send-authenticated.js";
import { isObject, nearestNames, omitUndefined } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import { isTemplate, matchUri } from "../tools/custom-content.js";
import {
  type CallInfo,
  type CustomPrompt,
  type CustomResource,
  defineCustomTool,
  type PromptContent,
} from "../tools/definitions.js";
import type { ToolInput } from "../types.js";
import { type Params, passThroughSchema } from "./messages.js";

/** Code of a prompt or a resource. */
interface Content {
  readonly name: string;
  readonly inputSchema?: object;
  run(input: never, call: CallInfo<never, never>): unknown;
}

/** Creates the context of a call from that of its request. */
export type CallContextFactory = (context: RequestContext) => CallContext;

/** Serves `prompts/list` and `prompts/get`. */
export function servePrompts(
  server: Server,
  app: ServerContext,
  callContext: CallContextFactory,
): void {
  const { prompts = [] } = app.hooks;
  server.setRequestHandler("prompts/list", { params: passThroughSchema }, async () => ({
    prompts: prompts.map(listPrompt),
  }));
  server.setRequestHandler(
    "prompts/get",
    { params: passThroughSchema },
    async (params, context) => {
      const prompt = prompts.find(({ name }) => name === params["name"]);
      if (!prompt) throw unknownPrompt(params["name"], prompts);
      const input = isObject(params["arguments"]) ? params["arguments"] : {};
      const content = (await runContent(app, prompt, input, callContext(context))) as PromptContent;
      const { description } = prompt;
      return {
        ...(description !== undefined && { description }),
        messages: toMessages(content),
      } as unknown as Result;
    },
  );
}

/** The part of an input schema that the arguments of a prompt show. */
interface ArgumentSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

function listPrompt({ name, title, description, inputSchema }: CustomPrompt) {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as ArgumentSchema;
  const list = Object.entries(properties).map(([argument, schema]) =>
    omitUndefined({
      name: argument,
      description: schema.description,
      required: required.includes(argument),
    }),
  );
  const argumentList = list.length > 0 ? list : undefined;
  return omitUndefined({ name, title, description, arguments: argumentList });
}

function unknownPrompt(name: unknown, prompts: readonly CustomPrompt[]): ProtocolError {
  const near = nearestNames(
    String(name),
    prompts.map((prompt) => prompt.name),
  );
  const hint = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : "";
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt ${JSON.stringify(name)}.${hint}`,
  );
}

function toMessages(content: PromptContent): readonly object[] {
  return typeof content === "string"
    ? [{ role: "user", content: { type: "text", text: content } }]
    : content;
}

/** The resources that clients list, and the templates of others. */
export function listResources({ hooks: { resources = [] } }: ServerContext): {
  readonly resources: readonly object[];
  readonly resourceTemplates: readonly object[];
} {
  const entry = ({ uri: _, run: __, ...rest }: CustomResource): object => rest;
  return {
    resources: resources
      .filter((resource) => !isTemplate(resource))
      .map((resource) => ({ uri: resource.uri, ...entry(resource) })),
    resourceTemplates: resources
      .filter(isTemplate)
      .map((resource) => ({ uriTemplate: resource.uri, ...entry(resource) })),
  };
}

/** Reads a resource of user code; undefined if none has the URI. */
export async function readCustomResource(
  app: ServerContext,
  { uri }: Params,
  context: CallContext,
): Promise<{ readonly uri: string } | undefined> {
  if (typeof uri !== "string") return undefined;
  for (const resource of app.hooks.resources ?? []) {
    const input = matchUri(resource.uri, uri);
    if (!input) continue;
    const value = await runContent(app, resource, input, context);
    const isText = typeof value === "string";
    const mimeType = resource.mimeType ?? (isText ? "text/plain" : "application/json");
    const text = isText ? value : JSON.stringify(value ?? null);
    return { uri, mimeType, text } as { readonly uri: string };
  }
  return undefined;
}

/**
 * Runs the code as that of a tool: within the limits and the deadline, with a line in the log.
 * @returns its value without secrets
 * @throws ProtocolError with the text that an agent would read
 */
async function runContent(
  app: ServerContext,
  { name, inputSchema, run }: Content,
  input: ToolInput,
  context: CallContext,
): Promise<unknown> {
  let value: unknown;
  const tool = defineCustomTool<ToolInput, string>({
    name,
    title: name,
    description: "",
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", ...inputSchema },
    run: async (given, call) => {
      value = await run(given as never, call as never);
      return "";
    },
  });
  const { isError, content } = await callTool(app, tool, input, context);
  const [block] = content;
  if (isError)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      block?.type === "text" ? block.text : `${name} failed.`,
    );
  return redactTexts(value, app.redact);
}

function redactTexts(value: unknown, redact: ServerContext["redact"]): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, item]) => [name, redactTexts(item, redact)]);
  return Object.fromEntries(members) as unknown;
}
