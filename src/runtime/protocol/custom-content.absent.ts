/** Stands in for prompts and resources of user code, which are left out. */
import type { ServerContext as RequestContext } from "@modelcontextprotocol/server";
import type { CallContext } from "../call/send-authenticated.js";

export type CallContextFactory = (context: RequestContext) => CallContext;

export function servePrompts(..._: readonly unknown[]): void {}

export const listResources = (_: unknown) => ({ resources: [], resourceTemplates: [] });

export async function readCustomResource(..._: readonly unknown[]): Promise<undefined> {}
