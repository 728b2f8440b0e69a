import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configured } from "../e2e/in-process.js";
import { generateProject, type Project, startHttp } from "../e2e/project.js";
import { postAsTaskClient } from "../e2e/task-client.js";
import { install } from "./install.js";
import { callJob, eras, type JobCall, withClient } from "./job-calls.js";
import { findFreePort, type RunningServer, startServer } from "./process.js";
import { type SocketProxy, startSocketProxy } from "./socket-proxy.js";

/**
 * Slurm, which runs batch jobs on a cluster, serves its own document. That does not list the states
 * of a job, which is in a list of one, so that `mcp-gen.yaml` describes them. It needs root.
 */
const canRun = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;

const CONFIGURATION = `
tools:
  submit_job:
    job:
      state: jobs.job_state
      done: [COMPLETED]
      failed: [FAILED, CANCELLED, TIMEOUT, NODE_FAIL, OUT_OF_MEMORY]
      id: job_id
      follow: get_slurm_job
`;

const packages = ["slurmctld", "slurmd", "slurmrestd", "slurm-wlm-basic-plugins"];

/** A cluster of one node that is this machine, without accounts and authentication. */
async function clusterOf(folder: string, plugins: string): Promise<string> {
  const [controller, node] = [await findFreePort(), await findFreePort()];
  return [
    "ClusterName=test",
    `SlurmctldHost=${hostname()}(127.0.0.1)`,
    `SlurmctldPort=${controller}\nSlurmdPort=${node}`,
    "SlurmUser=root\nAuthType=auth/none\nCredType=cred/none",
    `PluginDir=${plugins}`,
    `StateSaveLocation=${folder}/state\nSlurmdSpoolDir=${folder}/spool`,
    `SlurmctldPidFile=${folder}/slurmctld.pid\nSlurmdPidFile=${folder}/slurmd.pid`,
    "ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none",
    "SelectType=select/cons_tres\nSwitchType=switch/none\nMpiDefault=none",
    `NodeName=${hostname()} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN`,
    `PartitionName=main Nodes=${hostname()} Default=YES MaxTime=60 State=UP\n`,
  ].join("\n");
}

describe.skipIf(!canRun)("Slurm", () => {
  let folder: string;
  let project: Project;
  let slurm: RunningServer;
  let proxy: SocketProxy;
  const env = (more: Readonly<Record<string, string>> = {}) => ({
    SLURM_BASE_URL: proxy.url,
    SLURM_AUTH: "none",
    ...more,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-gen-slurm-"));
    for (const name of ["installation", "state", "spool"]) await mkdir(join(folder, name));
    await install({ name: "slurm", debian: packages } as never, join(folder, "installation"));
    const root = join(folder, "installation/debian/usr");
    const plugins = join(root, "lib/x86_64-linux-gnu/slurm-wlm");
    await writeFile(join(folder, "slurm.conf"), await clusterOf(folder, plugins));
    const socket = join(folder, "rest.socket");
    proxy = await startSocketProxy(socket);
    const script = [
      `${root}/sbin/slurmctld-wlm -D &`,
      `${root}/sbin/slurmd-wlm -D -d ${root}/sbin/slurmstepd-wlm &`,
      `exec ${root}/sbin/slurmrestd -a rest_auth/local -s openapi/v0.0.38 unix:${socket}`,
    ];
    const variables = {
      SLURM_CONF: join(folder, "slurm.conf"),
      SLURMRESTD_SECURITY: "disable_user_check",
      LD_LIBRARY_PATH: [plugins, join(root, "lib/x86_64-linux-gnu")].join(":"),
    };
    const launch = { command: "sh", args: ["-c", script.join("\n")], env: variables };
    slurm = await startServer(launch, folder, `${proxy.url}/slurm/v0.0.38/ping`);
    const document = join(folder, "openapi.json");
    await writeFile(document, await (await fetch(`${proxy.url}/openapi/v3`)).text());
    project = await generateProject(document, {
      ...configured(CONFIGURATION),
      features: ["stores"],
    });
    await project.run("bundle");
  }, 600_000);
  afterAll(async () => {
    await slurm?.stop();
    proxy?.close();
    await project?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const submission = (commands: string) => ({
    name: "submit_job",
    arguments: {
      script: `#!/bin/sh\n${commands}`,
      job: { environment: { PATH: "/bin:/usr/bin" }, current_working_directory: folder },
    },
  });
  interface Answer {
    readonly job_id: number;
    readonly current: { readonly jobs: readonly { readonly job_state: string }[] };
  }
  const answerOf = ({ result }: JobCall): Answer => result.structuredContent as Answer;
  /** The response of the API without the server in between. */
  async function read(id: number): Promise<{ readonly jobs: readonly object[] }> {
    const response = await fetch(`${proxy.url}/slurm/v0.0.38/job/${id}`);
    return (await response.json()) as { readonly jobs: readonly object[] };
  }
  const end = (id: number) =>
    fetch(`${proxy.url}/slurm/v0.0.38/job/${id}`, { method: "DELETE" }).then((r) => r.text());

  describe.each(eras)("%s", (_, connect) => {
    const call = (
      params: { readonly name: string; readonly arguments: object },
      more = {},
      cancels = false,
    ) => withClient(connect, project.server, env(more), (one) => callJob(one, params, cancels));

    test("a call waits, with progress, and returns what the API has", async () => {
      const done = await call(submission("sleep 3"));
      const { job_id, current } = answerOf(done);
      expect(current.jobs, done.text).toHaveLength(1);
      const { job_state, ...shown } = current.jobs[0]!;
      expect(job_state).toBe("COMPLETED");
      expect((await read(job_id)).jobs[0]).toMatchObject({ job_state, ...shown });
      const reads = proxy.seen.filter((one) => one.endsWith(`/job/${job_id}`));
      expect(done.messages).toHaveLength(reads.length - 1);
      expect(done.messages.join("\n")).toMatch(/jobs\.job_state is "(?:PENDING|RUNNING)"/);
    }, 60_000);

    test("a failure has the reason of the API", async () => {
      const failed = await call(submission("exit 3"));
      expect(failed.result.isError, failed.text).toBe(true);
      expect(failed.text).toContain("The API says: NonZeroExitCode");
    }, 60_000);

    test("a call that waited as long as it may names a call that works", async () => {
      const { text } = await call(submission("sleep 60"), { SLURM_JOB_WAIT: "2" });
      const [, id = ""] = /Call get_slurm_job with job_id (\d+) in about 5 s/.exec(text) ?? [];
      const next = await call({ name: "get_slurm_job", arguments: { job_id: id } });
      expect(next.text).toMatch(/job_state.{3,5}(?:PENDING|RUNNING)/);
      await end(Number(id));
    }, 60_000);

    test("a cancelled call ends, and its work goes on", async () => {
      const { result } = await call(submission("sleep 60"), {}, true);
      expect(result.rejected).toContain("AbortError");
      const { length } = proxy.seen;
      await setTimeout(3_000);
      expect(proxy.seen.slice(length)).toEqual([]);
      const id = Number(/\d+$/.exec(proxy.seen.at(-1)!)![0]);
      expect(JSON.stringify(await read(id))).toMatch(/"job_state":"(?:PENDING|RUNNING)"/);
      await end(id);
    }, 60_000);
  });

  test("a task is read and cancelled on another replica", async () => {
    const replica = env({
      SLURM_ALLOW_UNAUTHENTICATED: "true",
      SLURM_STORE: `file:${join(folder, "store")}`,
      SLURM_STORE_KEY: "0123456789abcdef".repeat(4),
    });
    const servers = [
      await startHttp(project.server, replica),
      await startHttp(project.server, replica),
    ];
    const [one, other] = servers as [(typeof servers)[0], (typeof servers)[0]];
    try {
      const started = await postAsTaskClient(one.url, "tools/call", submission("sleep 60"));
      const { taskId } = started.result!;
      const get = async () => (await postAsTaskClient(other.url, "tasks/get", { taskId })).result!;
      expect(await get()).toMatchObject({ status: "working" });
      await postAsTaskClient(other.url, "tasks/cancel", { taskId });
      await expect.poll(get, { timeout: 30_000, interval: 1_000 }).toMatchObject({
        status: "cancelled",
        statusMessage: 'jobs.job_state is "CANCELLED"',
      });
    } finally {
      for (const { child } of servers) (child as ChildProcess).kill();
    }
  }, 60_000);
});
