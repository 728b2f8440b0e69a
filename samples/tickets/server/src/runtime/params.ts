import type { ServerContext, StandardSchemaV1 } from "@modelcontextprotocol/server";

/** Parameters of a request, unchecked. */
export type Params = Readonly<Record<string, unknown>>;

/** Takes parameters as they come: what is wrong with them is said by whoever uses them. */
export const asTheyCome: StandardSchemaV1<Params, Params> = { "~standard": { version: 1, vendor: "runtime", validate: (params) => ({ value: (params ?? {}) as Params }) } };

/** Requests of 2026-07-28 and later bring what older clients said once, when they connected. */
export function isModern({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope !== undefined;
}
