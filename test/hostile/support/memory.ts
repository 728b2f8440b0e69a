import { readdirSync, readFileSync } from "node:fs";
import type { ChildProcess } from "node:child_process";

/** Bytes that a process holds now; 0 where that cannot be seen. */
export function rssOf({ pid }: ChildProcess): number {
  return pid === undefined ? 0 : kilobytes(pid, "VmRSS") * 1024;
}

/** The most bytes that a process ever held. */
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

/** Sockets, pipes and files that a process has open. */
export function openFilesOf({ pid }: ChildProcess): number {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
}
