import type { Lock, LockedTool } from "../../src/diff/index.js";

const careful = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/**
 * A tool of a lock, with all that is not said as plain as can be. The fingerprint follows what it
 * says.
 */
export function lockedTool(name: string, said: Partial<LockedTool> = {}): LockedTool {
  const definition = {
    name,
    title: name,
    description: "Does it.",
    annotations: careful,
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    ...said,
  };
  return { operations: [`GET /${name}`], fingerprint: JSON.stringify(definition), ...definition };
}

export function lockOf(...tools: readonly LockedTool[]): Lock {
  return { tools };
}
