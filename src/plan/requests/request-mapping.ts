import { groupBy } from "../../groups.js";
import { omitUndefined } from "../../json.js";
import type { Operation, Response } from "../../model/types.js";
import type { SecurityRequirement, ServerDefinition } from "../../runtime/api-definition.js";
import type { InputSource, ParameterSource, RequestMapping } from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { InputCandidate } from "../inputs/candidates.js";
import type { InputLocation } from "../operations/types.js";
import type { InputPlan } from "../inputs/plan-inputs.js";
import { isJsonMediaType } from "../outputs/payload.js";
import type { OmittedOperation, PlannedTool } from "../types.js";
import { bindBody, type BodyPlan } from "./body.js";
import { constantProblems } from "../inputs/parameter-source.js";

/** Parts of which a request mapping is built. */
interface RequestParts {
  readonly operation: Operation;
  readonly success: readonly Response[];
  readonly inputs: InputPlan;
  readonly body: BodyPlan | undefined;
  readonly servers: readonly ServerDefinition[];
  readonly security: readonly SecurityRequirement[] | undefined;
  readonly isSecurityUnstated: boolean;
  readonly likelySecurity: readonly SecurityRequirement[] | undefined;
}

type SourceEntry = readonly [InputCandidate, ParameterSource];

/**
 * Builds the request mapping of an operation: the source of every value. Absent parts are omitted.
 */
export function buildRequestMapping({
  operation,
  success,
  inputs,
  body,
  servers,
  security,
  isSecurityUnstated,
  likelySecurity,
}: RequestParts): RequestMapping {
  const sources = groupByLocation(inputs.sources);
  const [querystring] = sources.querystring;
  const query = sourcesByName(sources.query);
  const accept = acceptedTypes(success);
  return omitUndefined({
    method: operation.method,
    path: operation.path,
    servers: servers.length > 0 ? servers : undefined,
    pathParams: sourcesByName(sources.path),
    query: operation.fixedQuery ? { ...fixedQuery(operation.fixedQuery), ...query } : query,
    querystring: querystring && asInput(querystring[1]),
    headers: sourcesByName(sources.header),
    cookies: sourcesByName(sources.cookie),
    body: body && bindBody(body, sources.body, inputs.fileNameInputs),
    accept: accept.length > 0 ? accept : undefined,
    security,
    isSecurityUnstated: isSecurityUnstated ? true : undefined,
    likelySecurity,
  });
}

function groupByLocation(sources: readonly SourceEntry[]): Record<InputLocation, SourceEntry[]> {
  const groups: Record<InputLocation, SourceEntry[]> = {
    path: [],
    query: [],
    header: [],
    cookie: [],
    querystring: [],
    body: [],
  };
  for (const entry of sources) groups[entry[0].in].push(entry);
  return groups;
}

function sourcesByName(
  entries: readonly SourceEntry[],
): Readonly<Record<string, ParameterSource>> | undefined {
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([candidate, source]) => [candidate.wireName, source]));
}

function asInput(source: ParameterSource): InputSource {
  return typeof source === "string" ? { from: source } : (source as InputSource);
}

/** Query parameters that are part of the path; repeated names become lists. */
function fixedQuery(
  pairs: NonNullable<Operation["fixedQuery"]>,
): Readonly<Record<string, ParameterSource>> {
  return Object.fromEntries(
    [...groupBy(pairs, ([name]) => name)].map(([name, [[, value], ...others]]) => [
      name,
      { value: others.length === 0 ? value : [value, ...others.map(([, other]) => other)] },
    ]),
  );
}

const MAX_ACCEPT = 5;

/** Other forms of what a response has as JSON. Some servers choose them although JSON comes first. */
const FORMS_OF_JSON =
  /^(?:application|text)\/(?:[^;]*\+)?(?:x-)?(?:yaml|xml|csv|html|plain|msgpack)\b/;

/** The contents of a response, with JSON in place of its other forms. */
function preferredContents({ contents }: Response): Response["contents"] {
  const hasJson = contents.some(
    ({ mediaRange, mediaType }) => mediaRange === undefined && isJsonMediaType(mediaType),
  );
  return hasJson ? contents.filter(({ mediaType }) => !FORMS_OF_JSON.test(mediaType)) : contents;
}

/** Value of the `Accept` header: JSON first, then document order, then media ranges. */
function acceptedTypes(success: readonly Response[]): readonly string[] {
  const contents = success.flatMap(preferredContents);
  // A file that is described as JSON has a type of its own.
  const isAnyFile = contents.some(
    ({ mediaType, schema }) => schema?.format === "binary" && isJsonMediaType(mediaType),
  );
  const ranges = [
    ...contents.flatMap(({ mediaRange }) => mediaRange ?? []),
    ...(isAnyFile ? ["*/*"] : []),
  ];
  // Octet streams mean unknown content and must not exclude other types.
  const types = contents
    .filter(
      ({ mediaRange, mediaType }) =>
        mediaRange === undefined || mediaType !== "application/octet-stream",
    )
    .map((content) => content.contentTypeHeader ?? content.mediaType);
  const sorted = new Set([
    ...types.filter(isJsonMediaType),
    ...types.filter((type) => !isJsonMediaType(type)),
  ]);
  return [...new Set([...[...sorted].slice(0, MAX_ACCEPT), ...ranges])];
}

/**
 * Leaves out tools with a constant that the server could not send, a line break in a header for
 * example.
 */
export function omitUnsendable(
  tools: readonly PlannedTool[],
  diagnostics: DiagnosticCollector,
): { readonly tools: readonly PlannedTool[]; readonly omitted: readonly OmittedOperation[] } {
  const omitted: OmittedOperation[] = [];
  const sendable = tools.filter((tool) => {
    const problem = constantProblem(tool);
    if (problem === undefined) return true;
    const reason = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. ${tool.definition.name} is left out.`;
    diagnostics.add(
      "plan-constant-unsendable",
      reason,
      tool.operations[0]?.location,
      "Correct the document with an overlay, or the value in mcp-gen.yaml.",
    );
    omitted.push(...tool.operations.map((operation) => ({ ...operation, reason })));
    return false;
  });
  return { tools: sendable, omitted };
}

/** The first problem of a constant in the requests of a tool, as a clause. */
function constantProblem({ definition, workflow }: PlannedTool): string | undefined {
  if (workflow) return undefined;
  return definition.operations.flatMap(({ request }) => constantProblems(request))[0];
}
