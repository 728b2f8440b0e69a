import type { Lock, LockedTool } from "../../src/diff/index.js";

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** A locked tool with simple defaults. */
export function lockedTool(name: string, overrides: Partial<LockedTool> = {}): LockedTool {
  const definition = {
    name,
    title: name,
    description: "Does it.",
    annotations: annotations,
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    ...overrides,
  };
  return { operations: [`GET /${name}`], ...definition };
}

export function lockOf(...tools: readonly LockedTool[]): Lock {
  return { tools };
}
