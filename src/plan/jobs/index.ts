/** Work that writes start and that the API does later. */
import type { JobLocation, JobMapping } from "../../runtime/types.js";
import type { ClassifiedOperation } from "../operations/types.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { type ConfigurationContext, configureJob, reportUnusable } from "./configure-job.js";
import { findCancellations, withCancellation } from "./find-cancel.js";
import { countReads, findJob, type JobFacts } from "./find-job.js";
import { findLocation } from "./find-location.js";
import { followedThings } from "./followed-things.js";
import { operationSchemas } from "./operation-schemas.js";
import { namedReaders } from "./named-readers.js";
import { stateReads } from "./state-reads.js";
import { stateOnlyReaders } from "./state-only-readers.js";
import { pathKey } from "./state-readers.js";
import { normalizedName } from "./ways.js";

type Operation = ClassifiedOperation["operation"];

/** What the pass needs beside the tools. */
interface JobsContext extends ConfigurationContext {
  readonly selected: readonly ClassifiedOperation[];
  readonly model: { readonly schemas: Schemas };
}

/** Adds to each write the work that it starts, with the tool that follows it. */
export function addJobs(
  tools: readonly PlannedTool[],
  context: JobsContext,
): readonly PlannedTool[] {
  const { schemas } = context.model;
  const schemasOf = operationSchemas(context.selected, schemas);
  const operations = new Map(
    context.selected.map((one) => [`${one.operation.method} ${one.operation.path}`, one] as const),
  );
  const operationOf = (method: string, path: string): ClassifiedOperation | undefined =>
    operations.get(`${method} ${path}`) ?? operations.get(`${method} ${path}/`);
  const things = followedThings(tools, schemasOf, schemas);
  const gets = context.selected.map(({ operation }) => operation).filter(isGet);
  const facts = {
    things,
    stateOnly: stateOnlyReaders(things.others, { schemasOf, schemas }),
    readersNamedBy: namedReaders(context.selected),
    readsBySchema: countReads(things, schemasOf),
    schemasOf,
    schemas,
    operationOf,
    reads: stateReads(tools, operationOf, schemasOf, schemas).filter(
      ({ key }) => !things.reported.has(key),
    ),
    paths: new Set(gets.map(({ path }) => pathKey(path))),
    readNames: new Set(gets.flatMap(namesOfThing)),
  };
  const cancellations = findCancellations(tools, context.selected);
  return tools.map((tool) => {
    const { definition, workflow, job: rule } = tool;
    const isWrite = !definition.annotations.readOnlyHint && !workflow;
    if (!isWrite && rule?.config) reportUnusable(tool, rule, context);
    if (!isWrite || rule?.config === false) return tool;
    const locations = definition.operations.map((binding) => findLocation(binding, facts));
    const jobs = definition.operations.map((binding) => {
      const job = findJob(binding, facts);
      return rule ? configureJob(tool, binding, job, rule, tools, context) : job;
    });
    const ended = jobs.map((job) => job && withCancellation(job, tools, cancellations));
    const isStated = definition.operations.some(
      ({ request: { method, path } }, i) =>
        locations[i]?.isCreated ??
        (locations[i]?.field !== undefined ||
          schemasOf(method, path)?.namesState === true ||
          isOfOwnJob(method, path, facts)),
    );
    const located = withLocations(tool, locations, isStated);
    return ended.some((job) => job !== undefined) ? withJobs(located, ended) : located;
  });
}

const isGet = ({ method }: Operation): boolean => method === "GET";

/** Names by which a GET reads one thing: that at the end of its path, and those of its query. */
function namesOfThing({ path, parameters }: Operation): readonly string[] {
  const last = /\{([^{}]*)\}\/?$/.exec(path)?.[1];
  const ofQuery = parameters.flatMap((one) => (one.in === "query" ? [one.name] : []));
  return [...(last === undefined ? [] : [last]), ...ofQuery].map((name) => normalizedName(name));
}

/** True for a 202 without a body of a collection of jobs: only its `Location` can name the job. */
function isOfOwnJob(method: string, path: string, { things, schemasOf }: JobFacts): boolean {
  const { mayNameState, success } = schemasOf(method, path) ?? {};
  const own = things.followed.get(`${pathKey(path)}/{}`);
  const isOnlyPlace = method === "POST" && mayNameState === true && success === undefined;
  return (
    isOnlyPlace && own?.isNamedJob === true && !own.isDoubtful && !things.startable.has(own.key)
  );
}

/** Adds the reads of work that responses may name by its URL. */
function withLocations(
  tool: PlannedTool,
  locations: readonly (JobLocation | undefined)[],
  isStated: boolean,
): PlannedTool {
  if (locations.every((location) => location === undefined)) return tool;
  const operations = tool.definition.operations.map((binding, i) => {
    const jobLocation = locations[i];
    return jobLocation ? { ...binding, jobLocation } : binding;
  });
  const text = isStated ? { ...tool.text, job: true as const } : tool.text;
  return { ...tool, text, definition: { ...tool.definition, operations } };
}

function withJobs(tool: PlannedTool, jobs: readonly (JobMapping | undefined)[]): PlannedTool {
  const { definition, text, reasons } = tool;
  const operations = definition.operations.map((binding, i) => {
    const job = jobs[i];
    return job ? { ...binding, job } : binding;
  });
  return {
    ...tool,
    text: { ...text, job: waitOf(jobs) },
    reasons: [...reasons, ...new Set(jobs.flatMap((job) => (job ? [reasonOf(job)] : [])))],
    definition: { ...definition, operations },
  };
}

/** Seconds that the text states: those of the tool, or the server's. */
function waitOf(jobs: readonly (JobMapping | undefined)[]): true | number {
  const waitMs = jobs.find((job) => job?.waitMs !== undefined)?.waitMs;
  return waitMs === undefined ? true : waitMs / 1000;
}

/** `Waits for the job: status of get_job (running: queued, running; done: succeeded).` */
function reasonOf({ state, follow, ...states }: JobMapping): string {
  const path = typeof state === "string" ? state : state.join(".");
  const stages = (["running", "done", "failed"] as const).flatMap((stage) => {
    const values = states[stage];
    return values ? [`${stage}: ${values.join(", ")}`] : [];
  });
  const known = stages.length > 0 ? ` (${stages.join("; ")})` : "";
  return `Waits for its work: ${path} of ${follow.tool}${known}.`;
}
