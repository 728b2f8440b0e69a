import { execFile } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { scratch } from "../../write/tree.js";
import { type Contexts, interpolate, isMet } from "./expressions.js";

type Env = Readonly<Record<string, string>>;

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Env;
  readonly "working-directory"?: string;
}
interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly outputs?: Env;
  readonly permissions?: Env;
  readonly defaults?: Defaults;
  readonly steps: readonly Step[];
}
interface Defaults {
  readonly run: { readonly shell?: string; readonly "working-directory"?: string };
}
export interface Workflow {
  readonly permissions: Env;
  readonly defaults?: Defaults;
  readonly env: Env;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** What started a run, and where. */
export interface Occasion {
  readonly repository: string;
  /** What is checked out. */
  readonly ref: string;
  /** The context `github`, with the event. */
  readonly github: Readonly<Record<string, unknown>>;
  /** Programs that are found first, as shell scripts. */
  readonly programs: Env;
}

/** What came of a job. */
export interface JobRun {
  readonly result: "success" | "failure" | "skipped";
  readonly outputs: Env;
  /** What its scripts printed. */
  readonly out: string;
  readonly summary: string;
  /** Scripts that ran, with how they ended. */
  readonly codes: readonly number[];
}

/**
 * Runs a workflow as GitHub does, as far as it goes without GitHub: conditions, contexts, checkout,
 * shells and the files that steps write.
 */
export async function runWorkflow(
  text: string,
  occasion: Occasion,
): Promise<ReadonlyMap<string, JobRun>> {
  const workflow = parse(text) as Workflow;
  const done = new Map<string, JobRun>();
  // In the order of the file: what is needed stands before what needs it.
  for (const [name, job] of Object.entries(workflow.jobs))
    done.set(name, await runJob(job, workflow, done, occasion));
  return done;
}

async function runJob(
  job: Job,
  workflow: Workflow,
  done: ReadonlyMap<string, JobRun>,
  occasion: Occasion,
): Promise<JobRun> {
  const needed = job.needs === undefined ? undefined : done.get(job.needs);
  const contexts = {
    github: occasion.github,
    needs: job.needs === undefined ? {} : { [job.needs]: needed },
  };
  const run = { out: "", codes: [] as number[] };
  if (!isMet(job.if, contexts, { failed: needed !== undefined && needed.result !== "success" }))
    return { result: "skipped", outputs: {}, summary: "", ...run };
  const place = placeOf(occasion);
  const steps: Record<string, { outputs: Env }> = {};
  let failed = false;
  for (const step of job.steps) {
    const known = { ...contexts, steps, env: workflow.env };
    if (!isMet(step.if, known, { failed })) continue;
    if (step.uses !== undefined) await use(step, place.workspace, occasion);
    if (step.run === undefined) continue;
    const { code, out } = await inShell(step, job, workflow, known, place);
    failed ||= code !== 0;
    run.codes.push(code);
    run.out += out;
    if (step.id !== undefined) steps[step.id] = { outputs: outputsIn(place.files.GITHUB_OUTPUT) };
    writeFileSync(place.files.GITHUB_OUTPUT, "");
  }
  const outputs = Object.fromEntries(
    Object.entries(job.outputs ?? {}).map(([name, value]) => [
      name,
      interpolate(value, { ...contexts, steps }),
    ]),
  );
  return {
    result: failed ? "failure" : "success",
    outputs,
    summary: readFileSync(place.files.GITHUB_STEP_SUMMARY, "utf8"),
    ...run,
  };
}

interface Place {
  readonly workspace: string;
  readonly bin: string;
  readonly files: Readonly<Record<"RUNNER_TEMP" | "GITHUB_OUTPUT" | "GITHUB_STEP_SUMMARY", string>>;
}

/** A machine of its own: nothing but files of the job. */
function placeOf({ programs }: Occasion): Place {
  const root = scratch();
  const [workspace, bin, temp] = ["work", "bin", "temp"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, bin, temp]) mkdirSync(folder);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}`);
    chmodSync(join(bin, name), 0o755);
  }
  const files = {
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: join(root, "output"),
    GITHUB_STEP_SUMMARY: join(root, "summary"),
  };
  for (const file of [files.GITHUB_OUTPUT, files.GITHUB_STEP_SUMMARY]) appendFileSync(file, "");
  return { workspace, bin, files };
}

/**
 * `actions/checkout`, with the history that was asked for and no more; another Node than this one
 * is not set up.
 */
async function use(
  { uses = "", with: inputs = {} }: Step,
  workspace: string,
  { repository, ref }: Occasion,
): Promise<void> {
  if (uses.startsWith("actions/setup-node@")) return;
  if (!uses.startsWith("actions/checkout@")) throw new Error(`${uses} is not known here`);
  const git = async (...args: string[]): Promise<void> => {
    const { code, out } = await execute("git", args, workspace, process.env);
    if (code !== 0) throw new Error(out);
  };
  await git("init", "-q");
  await git(
    "fetch",
    "-q",
    `--depth=${Number(inputs["fetch-depth"] ?? 1)}`,
    `file://${repository}`,
    ref,
  );
  await git("checkout", "-q", "FETCH_HEAD");
}

/** https://docs.github.com/actions/reference/workflow-syntax-for-github-actions#defaultsrunshell */
const shells: Readonly<Record<string, readonly string[]>> = {
  "": ["-e"],
  bash: ["--noprofile", "--norc", "-eo", "pipefail"],
};

async function inShell(
  step: Step,
  job: Job,
  workflow: Workflow,
  contexts: Contexts,
  { workspace, bin, files }: Place,
): Promise<{ readonly code: number; readonly out: string }> {
  // The defaults of a job take the place of the workflow's, as a whole.
  const { shell = "", "working-directory": folder = "." } =
    (job.defaults ?? workflow.defaults)?.run ?? {};
  const script = join(files.RUNNER_TEMP, "script.sh");
  writeFileSync(script, interpolate(step.run ?? "", contexts));
  const own = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, value]) => [name, interpolate(value, contexts)]),
  );
  const env = {
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    HOME: files.RUNNER_TEMP,
    CI: "true",
    GITHUB_WORKSPACE: workspace,
    ...files,
    ...workflow.env,
    ...own,
  };
  return execute(
    "bash",
    [...shells[shell]!, script],
    join(workspace, step["working-directory"] ?? folder),
    env,
  );
}

function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((done, fail) => {
    execFile(program, args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") fail(error);
      else done({ code: error ? Number(error.code) : 0, out: stdout + stderr });
    });
  });
}

/** `name=value` lines; the workflow writes no others. */
function outputsIn(file: string): Env {
  return Object.fromEntries(
    readFileSync(file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}
