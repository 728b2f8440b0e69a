/** Reads of one thing by its ID, which is in the path or, for a job, the only query parameter. */
import { singularizeLast } from "../../language/grammar.js";
import { memoize } from "../../language/patterns.js";
import { splitWords } from "../../language/words.js";
import type { OperationBinding } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import { withoutNames } from "../path-readers.js";
import type { PlannedTool } from "../types.js";
import { entityOf, identityOf } from "./identity.js";
import { JOB_NOUNS } from "./words.js";

/** A read of one thing, with the parameter that takes its ID. */
export interface ThingReader {
  readonly tool: PlannedTool;
  readonly binding: OperationBinding;
  /** Path without names of parameters, and without a word for the state behind the ID. */
  readonly key: string;
  readonly parameter: string;
  readonly input: string;
  /** Further inputs that it needs, of headers and the query, by their names in the request. */
  readonly shared: Readonly<Record<string, string>>;
  /** Path before the ID. */
  readonly parentPath: string;
  /** Words of one thing, by the collection and by the parameter. Often empty. */
  readonly collection: readonly string[];
  readonly entity: readonly string[];
}

/** Finds the reads of one thing of all tools; of several reads of a thing, the shortest path. */
export function thingReadersOf(tools: readonly PlannedTool[]): readonly ThingReader[] {
  const found = new Map<string, ThingReader>();
  for (const tool of tools) {
    const { definition, workflow } = tool;
    if (!definition.annotations.readOnlyHint || workflow) continue;
    for (const binding of definition.operations) {
      const reader = readerOf(tool, binding);
      const known = reader && found.get(reader.key);
      if (reader && !(known && isShorter(known, reader))) found.set(reader.key, reader);
    }
  }
  return [...found.values()];
}

const isShorter = (one: ThingReader, other: ThingReader): boolean =>
  one.binding.request.path.length <= other.binding.request.path.length;

/** Words of a path behind an ID that name the thing or its state, and no part. */
const ABOUT = /\/(?:json|info|details?|status|state|progress)$/;

/** A segment that only says that an ID comes next: `/jobs/id/{id}`. */
const BY_ID = /\/(?:by[-_]?)?id(?=\/\{[^{}]*\}$)/i;

/** Path without a slash at its end. */
export const pathKey: (path: string) => string = memoize((path) =>
  withoutNames(path).replace(/\/$/, ""),
);

function readerOf(tool: PlannedTool, binding: OperationBinding): ThingReader | undefined {
  const { request, whenProvided } = binding;
  if (request.method !== "GET" || request.isRaw || request.unsafe) return undefined;
  const path = request.path.replace(/\/$/, "").replace(ABOUT, "").replace(BY_ID, "");
  const id = pathId(path, binding) ?? queryId(path, binding);
  if (!id) return undefined;
  const { required = [] } = tool.definition.inputSchema as { readonly required?: string[] };
  const given = [id.input, ...pathInputs(binding)];
  const others = [...required, ...whenProvided].filter((name) => !given.includes(name));
  const shared = requestParameters(request).flatMap(({ location, wireName = "", source }) => {
    const input = location === "header" || location === "query" ? sourceInput(source) : undefined;
    return input !== undefined && others.includes(input) ? [[wireName, input] as const] : [];
  });
  if (shared.length < others.length) return undefined;
  return { tool, binding, shared: Object.fromEntries(shared), ...id };
}

type Identification = Omit<ThingReader, "tool" | "binding" | "shared">;

/** `/reports/{reportId}`, `/project/{name}/{build_num}`. */
function pathId(path: string, { request }: OperationBinding): Identification | undefined {
  const [, parentPath = "", parameter = ""] = /^(.*)\/\{([^{}/]*)\}$/.exec(path) ?? [];
  const source = parameter === "" ? undefined : request.pathParams?.[parameter];
  const input = source === undefined ? undefined : sourceInput(source);
  if (input === undefined) return undefined;
  const collection = parentPath.split("/").at(-1) ?? "";
  const ofPath = collection.includes("{") ? [] : singularizeLast(splitWords(collection));
  const entity = entityOf(parameter);
  return { key: pathKey(path), parameter, input, parentPath, collection: ofPath, entity };
}

/** `/job-status?jobId=`, `/databases/{}/dump?task_id=`, `/imports?id=`: the only ID of a job. */
function queryId(path: string, { request }: OperationBinding): Identification | undefined {
  const ofPath = singularizeLast(splitWords(path.split("/").at(-1) ?? ""));
  const isOfState = path !== request.path.replace(/\/$/, "");
  const ids = requestParameters(request).flatMap(({ location, wireName = "", source }) => {
    const { idWord } = identityOf(wireName);
    const input = location === "query" && idWord !== "" ? sourceInput(source) : undefined;
    const own = entityOf(wireName);
    const entity = own.length > 0 || /\}$/.test(path) ? own : ofPath;
    const isJobId = JOB_NOUNS.has(entity.at(-1) ?? "") || isOfState;
    return isJobId && input !== undefined ? [{ parameter: wireName, input, entity }] : [];
  });
  const [only, ...others] = ids;
  if (!only || others.length > 0) return undefined;
  return { key: `${pathKey(path)}?`, parentPath: path, collection: [], ...only };
}

function pathInputs({ request }: OperationBinding): readonly string[] {
  const sources = Object.values(request.pathParams ?? {});
  return sources.flatMap((source) => sourceInput(source) ?? []);
}
