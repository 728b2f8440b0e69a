/** Stands in for the tasks extension: no tool of this project starts work that takes time. */
import type { Result } from "@modelcontextprotocol/server";

export const tasksCapability = {};

export const supportsTasks = (..._: readonly unknown[]): boolean => false;

export async function createTask(..._: readonly unknown[]): Promise<Result> {
  return {};
}

export function serveTasks(..._: readonly unknown[]): void {
  // No call starts a task.
}
