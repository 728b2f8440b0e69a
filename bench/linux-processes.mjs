// Processor time of running processes, and a share of a processor for each, on Linux.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Control groups of version 1 and 2. */
const CPU_GROUPS = "/sys/fs/cgroup/cpu";
const UNIFIED_GROUPS = "/sys/fs/cgroup";

/** Microseconds: short against a call, so that a limited process is slow and does not stutter. */
const PERIOD = 10_000;

/** Fields of `/proc/PID/stat` behind the name of the program. */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
}

/** Numbers of the running processes that a process has started, as text. */
export function childrenOf(pid) {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && statOf(name)[1] === String(pid);
    } catch {
      return false;
    }
  });
}

/** Processor seconds of a process and of those that it has started. */
export function processorSeconds(pid) {
  const ticks = [pid, ...childrenOf(pid)]
    .map(statOf)
    .map((stat) => Number(stat[11]) + Number(stat[12]));
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

/**
 * Limits a process, all of its threads together, to a share of one processor. Needs root.
 * @param share from 0 to 1
 * @returns removes the limit, after the process has ended
 */
export function limitProcessor(pid, share) {
  const quota = Math.round(share * PERIOD);
  const isOne = existsSync(CPU_GROUPS);
  const group = `${isOne ? CPU_GROUPS : UNIFIED_GROUPS}/mcp-gen-bench-${pid}`;
  const values = isOne
    ? { "cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota, "cgroup.procs": pid }
    : { "cpu.max": `${quota} ${PERIOD}`, "cgroup.procs": pid };
  mkdirSync(group);
  for (const [file, value] of Object.entries(values))
    writeFileSync(`${group}/${file}`, String(value));
  return () => rmdirSync(group);
}
