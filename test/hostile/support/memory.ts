import { readdirSync, readFileSync } from "node:fs";
import type { ChildProcess } from "node:child_process";

/** Resident memory of a process in bytes; 0 on systems other than Linux. */
export function rssOf({ pid }: ChildProcess): number {
  return pid === undefined ? 0 : kilobytes(pid, "VmRSS") * 1024;
}

/** Peak resident memory of a process in bytes; 0 on systems other than Linux. */
export function peakOf({ pid }: ChildProcess): number {
  return pid === undefined ? 0 : kilobytes(pid, "VmHWM") * 1024;
}

function kilobytes(pid: number, field: string): number {
  if (process.platform !== "linux") return 0;
  return Number(
    new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ??
      0,
  );
}

/** Number of open sockets, pipes and files of a process; 0 on systems other than Linux. */
export function openFilesOf({ pid }: ChildProcess): number {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
}
