import { joinFirst } from "../diagnostics/index.js";
import { toSingleLine } from "../diagnostics/text.js";
import type { Operation } from "../model/types.js";
import type { RequestMapping, ToolAnnotations, ToolDefinition } from "../runtime/types.js";
import type { ClassifiedOperation, PathSegment } from "./operations/types.js";
import { operationRef } from "./operations/identity.js";
import { sourceInput } from "./bound-parameters.js";
import type { Limit, ToolText } from "./text/parts.js";
import { bodyText } from "./descriptions/body-text.js";
import { printText } from "./descriptions/print.js";
import { callLimitSentence, writeToolText } from "./descriptions/tool.js";
import { toImperativeSentence } from "./descriptions/opening.js";
import { isGeneratedSummary } from "./descriptions/repetition.js";
import { cleanProse } from "./descriptions/prose.js";
import { stripLeadingIdentifier } from "../language/preamble.js";
import { explainEffects } from "./effects/index.js";
import { documentedErrors, errorCodesSentence, withoutErrorCodes } from "./documented-errors.js";
import { isPlural, singularizeLast } from "../language/grammar.js";
import { toIdentifier, toolTitle } from "./names/format-name.js";
import type { ToolName } from "./names/index.js";
import { segmentWords } from "./operations/path.js";
import { isVersion, splitWords } from "../language/words.js";
import { type BodyPlan, planBody } from "./requests/body.js";
import { undocumentedBody } from "./requests/undocumented-body.js";
import { buildRequestMapping } from "./requests/request-mapping.js";
import { namedSchema, resolveSchema } from "./schemas/refs.js";
import type { ServerPlanner } from "./servers.js";
import type { PlannedRequest, ToolContext } from "./tool-context.js";
import type { PlannedTool } from "./types.js";

/** Plans the inputs and the body of an operation. */
export function planRequest(
  classified: ClassifiedOperation,
  { schemas, diagnostics, security, planInputs }: ToolContext,
): PlannedRequest {
  const assumed = undocumentedBody(classified);
  const operation = assumed ? { ...classified.operation, body: assumed } : classified.operation;
  const body = planBody(operation, schemas, diagnostics);
  const requirement = security.overrideOf(operation) ?? security.defaultRequirement ?? [];
  const isAuthenticated = (scheme: string): boolean =>
    requirement.some((alternative) => Object.hasOwn(alternative, scheme));
  return {
    classified,
    body,
    inputs: planInputs(operation, body?.candidates ?? [], isAuthenticated),
  };
}

/** Plans the request as data. */
export function requestMapping(
  { classified, body, inputs }: PlannedRequest,
  context: ToolContext,
): RequestMapping {
  const { operation, successResponses } = classified;
  return buildRequestMapping({
    operation,
    success: successResponses,
    inputs,
    body,
    servers: operationServers(operation, context),
    security: context.security.overrideOf(operation),
    isSecurityUnstated: context.security.isUnstated(operation),
    likelySecurity: context.security.likelyOf(operation),
  });
}

/** Plans the tool of one operation. */
export function planTool(
  request: PlannedRequest,
  named: ToolName,
  toolset: string,
  context: ToolContext,
): PlannedTool {
  const { classified, body, inputs } = request;
  const { operation } = classified;
  const output = context.planOutput(classified);
  return {
    definition: toolDefinition(request, named.name, output, context),
    text: toolText(request, withoutNamespace(named.name, context), output, context),
    toolset,
    identifier: identifierFor(named.name, context),
    inputs: inputs.inputs,
    ...(output && { output: output.resultSchema }),
    operations: [operationRef(operation)],
    effects: [classified.effects],
    reasons: [
      nameReason(named, operation),
      ...effectReasons(classified),
      ...bodyReasons(body),
      ...inputs.reasons,
    ],
  };
}

function toolDefinition(
  request: PlannedRequest,
  fullName: string,
  output: ReturnType<ToolContext["planOutput"]>,
  context: ToolContext,
): ToolDefinition {
  const { classified, inputs } = request;
  const headers = reportedHeaders(classified);
  const name = withoutNamespace(fullName, context);
  const { summary } = documentText(classified, context);
  const annotations = annotate(classified);
  const mapping = markUnsafe(requestMapping(request, context), annotations);
  const response = {
    ...(output?.wrap && { wrap: output.wrap }),
    ...(headers.length > 0 && { headers }),
  };
  return {
    name: fullName,
    title: toolTitle(name, titleSummary(summary, name, classified)),
    description: "",
    annotations,
    inputSchema: inputs.schema,
    ...(output && { outputSchema: output.schema }),
    operations: [{ whenProvided: [], request: mapping, response }],
    ...effectField(classified),
  };
}

/** Text of the tool of one operation. */
function toolText(
  request: PlannedRequest,
  name: string,
  output: ReturnType<ToolContext["planOutput"]>,
  context: ToolContext,
): ToolText {
  const { classified } = request;
  const { operation } = classified;
  const result = [
    output && context.describeOutput(output),
    headersPhrase(reportedHeaders(classified)),
  ];
  const text = writeToolText({
    name,
    effects: classified.effects,
    ...documentText(classified, context),
    limits: limitsOf(name, request),
    result: result.filter((phrase) => phrase !== undefined),
    errors: errorCodesSentence(documentedErrors(operation, context.schemas)),
    deprecated: operation.deprecated,
    parents: parentResources(classified.pathParts),
    ofAll: deletesAll(request),
    responses: classified.successResponses,
  });
  return withBodyText(text, request, context);
}

/** Adds what the document says about a body as a whole. One that is one input has its text. */
function withBodyText(
  text: ToolText,
  { classified: { operation }, body, inputs }: PlannedRequest,
  { crossReferences }: ToolContext,
): ToolText {
  if (!body || body.candidates.some(({ isWholeBody }) => isWholeBody)) return text;
  const { description } = resolveSchema(body.schemas, body.content.schema ?? {});
  const known = [
    printText(text),
    ...inputs.inputs.flatMap(({ name, description: told }) => [...splitWords(name), told]),
  ].join(" ");
  const texts = [operation.body?.description, description]
    .filter((one) => typeof one === "string")
    .map((one) => crossReferences.link(one, operation));
  const more = bodyText(texts, known);
  return more === "" ? text : { ...text, details: [...text.details, { text: more }] };
}

/** `DELETE /pets` without a filter. */
const deletesAll = ({ classified: { operation, pathParts }, inputs }: PlannedRequest): boolean =>
  operation.method === "DELETE" &&
  isPlural(segmentWords(pathParts, -1).at(-1) ?? "") &&
  inputs.sources.every(([{ in: location }]) => location === "path" || location === "header");

/** Summary as an imperative; empty for a generated summary, which says no more than the name. */
function titleSummary(
  summary: string,
  name: string,
  { pathParts }: Pick<ClassifiedOperation, "pathParts">,
): string {
  if (isGeneratedSummary(summary, name)) return "";
  const returnsThing =
    name.startsWith("return_") || /^returns?$/.test(segmentWords(pathParts, -1).join(" "));
  const isReturn = returnsThing && /^return /i.test(summary);
  return isReturn ? summary : (toImperativeSentence(summary) ?? summary);
}

function limitsOf(name: string, request: PlannedRequest): readonly Limit[] {
  const sent = request.inputs.sources.map(([candidate]) => candidate);
  const limit = callLimitSentence(name, request.classified.operation, sent);
  return [limit, minimumFields(request)].filter((one) => one !== undefined);
}

/** Summary and description of the document, without the operation's own name in front. */
function documentText(
  classified: ClassifiedOperation,
  { crossReferences }: ToolContext,
): { readonly summary: string; readonly description: string | undefined } {
  const { operation } = classified;
  const { operationId } = operation;
  const summary = mirrorsPath(classified) ? "" : (operation.summary ?? "");
  const description = crossReferences.link(operation.description ?? "", operation);
  return {
    summary: stripLeadingIdentifier(withoutTag(cleanProse(summary), operation.tags), operationId),
    description: stripLeadingIdentifier(withoutErrorCodes(description), operationId),
  };
}

/** `Math - Convert distance` with the tag `Math`. */
function withoutTag(summary: string, tags: readonly string[]): string {
  const [prefix = "", tag, rest = ""] =
    /^([^:–-]{2,40}?)(?: [-–]|:) (?=(\w+ \w))/.exec(summary) ?? [];
  const isTag = rest !== "" && tags.some((one) => one.toLowerCase() === tag?.toLowerCase());
  return isTag ? summary.slice(prefix.length) : summary;
}

/** `Put stations by station ID mute`: a generator wrote method and path as a summary. */
const mirrorsPath = ({ operation: { summary, operationId }, parsedId }: ClassifiedOperation) =>
  operationId !== undefined &&
  parsedId === undefined &&
  summary !== undefined &&
  /^(?:post|put|patch)\b|\bby\b/i.test(summary) &&
  splitWords(summary).join(" ") === splitWords(operationId).join(" ");

/**
 * Marks a safe method that changes something, and a PUT or DELETE whose repetition does more
 * (`PUT /restart`). RFC 9110, section 9.2.
 */
function markUnsafe(
  request: RequestMapping,
  { readOnlyHint, idempotentHint }: ToolAnnotations,
): RequestMapping {
  const { method } = request;
  const isUnsafe = method === "GET" ? !readOnlyHint : !idempotentHint;
  return isUnsafe && /^(?:GET|PUT|DELETE)$/.test(method) ? { ...request, unsafe: true } : request;
}

/** Limit of a body that needs some of its optional fields. */
function minimumFields({ body, inputs }: PlannedRequest): Limit | undefined {
  if (body?.minFields === undefined) return undefined;
  const names = inputs.sources.flatMap(([{ in: location }, source]) =>
    location === "body" ? (sourceInput(source) ?? []) : [],
  );
  return names.length > 0 ? { atLeast: body.minFields, inputs: names } : undefined;
}

/**
 * Resources that path parameters select, before the last segment: `/channels/{id}/messages` →
 * channel.
 */
function parentResources(parts: readonly PathSegment[]): string[] {
  const last = parts.findLastIndex((part) => part.kind === "words");
  return parts
    .slice(0, Math.max(last, 0))
    .flatMap((part, i) =>
      part.kind === "words" && parts[i + 1]?.kind === "param"
        ? [singularizeLast(part.words.filter((word) => !isVersion(word))).join(" ")]
        : [],
    )
    .slice(-1);
}

/** Identifier in camelCase that is not the name of a type. */
export function identifierFor(name: string, { schemas }: ToolContext): string {
  return toIdentifier(name, (typeName) => namedSchema(schemas, typeName) !== undefined);
}

/** Name of a tool without its namespace: verb first. */
export const withoutNamespace = (name: string, { namespace }: ToolContext): string =>
  namespace === undefined ? name : name.slice(namespace.length + 1);

/**
 * Servers of the operation itself. Servers without an absolute URL are reported, and those of the
 * API are used.
 */
export function operationServers(
  { servers, location }: Operation,
  context: Pick<ToolContext, "servers" | "hasBaseUrlOption" | "diagnostics">,
): ReturnType<ServerPlanner["planCallable"]> {
  if (!servers || servers.length === 0 || context.hasBaseUrlOption) return [];
  const callable = context.servers.planCallable(servers);
  if (callable.length === 0)
    context.diagnostics.add(
      "plan-operation-server",
      "The servers of this operation are not absolute http(s) URLs; those of the API are used.",
      location,
    );
  return callable;
}

function nameReason({ source, collision }: ToolName, { operationId = "" }: Operation): string {
  if (source === "configuration") return "Named by the configuration.";
  const reason =
    source === "operationId"
      ? `Named by its operationId ${toSingleLine(operationId)}.`
      : "Named by its method and path.";
  if (collision === undefined) return reason;
  if (collision.kind === "qualified") return `${reason} Another operation has the shorter name.`;
  return `${reason} Another operation has the name, so a hash of method and path distinguishes it.`;
}

function effectReasons({ effects }: ClassifiedOperation): string[] {
  const reason = explainEffects(effects);
  return reason === undefined ? [] : [reason];
}

function bodyReasons(body: BodyPlan | undefined): string[] {
  if (!body) return [];
  const whole = body.candidates[0]?.isWholeBody ? "in one input" : "each field of it is an input";
  return [`Body sent as ${body.content.mediaType}, ${whole}.`];
}

/**
 * Headers that do not describe the resource: cookies, limits, IDs of requests, and headers of every
 * response.
 */
const GENERIC_HEADERS = new RegExp(
  "^(?:set-cookie2?|www-authenticate|date|server|via|connection|vary|strict-transport-security|" +
    "retry-after|dataserviceid|content-(?:encoding|language|security-policy)|access-control-.*|proxy-.*)$|" +
    "rate-?limit|(?:request|correlation|trace)-?id$",
  "i",
);

/** Limits of the headers of a result, and of those that the text of its tool names. */
const MAX_HEADERS = 60;
const MAX_NAMED_HEADERS = 6;

/** Response headers that are the whole result: those of a success without a body. */
function reportedHeaders({ operation, successResponses }: ClassifiedOperation): readonly string[] {
  const isEmpty =
    operation.method === "HEAD" || successResponses.every(({ contents }) => contents.length === 0);
  const names = isEmpty
    ? successResponses
        .flatMap(({ headers }) => headers.map(({ name }) => name))
        .filter((name) => !GENERIC_HEADERS.test(name))
    : [];
  return names
    .filter(
      (name, i) => names.findIndex((header) => header.toLowerCase() === name.toLowerCase()) === i,
    )
    .slice(0, MAX_HEADERS);
}

/** Names the headers of the result. */
function headersPhrase(names: readonly string[]): string | undefined {
  return names.length === 0
    ? undefined
    : `the ${names.length === 1 ? "header" : "headers"} ${joinFirst(names, MAX_NAMED_HEADERS)}`;
}

function annotate({ effects }: ClassifiedOperation): ToolAnnotations {
  return {
    readOnlyHint: effects.isReadOnly,
    destructiveHint: effects.isDestructive,
    idempotentHint: effects.isRepeatable,
    openWorldHint: true,
  };
}

/** Effect of an operation as a field of its tool, which has none when it reads. */
export function effectField({
  effects: { effect },
}: ClassifiedOperation): Pick<ToolDefinition, "effect"> {
  return effect === "reads" ? {} : { effect };
}

/** Strictest annotations of several operations. */
export function annotateAll(operations: readonly ClassifiedOperation[]): ToolAnnotations {
  const annotations = operations.map(annotate);
  return {
    readOnlyHint: annotations.every(({ readOnlyHint }) => readOnlyHint),
    destructiveHint: annotations.some(({ destructiveHint }) => destructiveHint),
    idempotentHint: annotations.every(({ idempotentHint }) => idempotentHint),
    openWorldHint: true,
  };
}
