import type {
  ServerContext as RequestContext,
  StandardSchemaV1,
} from "@modelcontextprotocol/server";

/** Parameters of a request, unchecked. */
export type Params = Readonly<Record<string, unknown>>;

/** Takes parameters as they come: what is wrong with them is said by whoever uses them. */
export const passThroughSchema: StandardSchemaV1<Params, Params> = {
  "~standard": {
    version: 1,
    vendor: "runtime",
    validate: (params) => ({ value: (params ?? {}) as Params }),
  },
};

/** Whether a revision is without sessions: 2026-07-28, or a later one. */
export function isModernRevision(revision: string | undefined): revision is string {
  return revision !== undefined && revision >= "2026-07-28";
}

/** Requests of 2026-07-28 and later bring what older clients said once, when they connected. */
export function isModernRequest({ mcpReq }: RequestContext): boolean {
  return mcpReq.envelope !== undefined;
}
