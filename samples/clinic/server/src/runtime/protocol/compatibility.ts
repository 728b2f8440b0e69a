/** Differences of older clients: content that their revision lacks, and malformed messages. */
import type {
  CallToolResult,
  ContentBlock,
  ServerContext as RequestContext,
  StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { isObject } from "../data/values.js";

/** Revisions that introduced types of content. */
const introducedIn: Partial<Record<ContentBlock["type"], string>> = {
  audio: "2025-03-26",
  resource_link: "2025-06-18",
};

/** Adapts a result to the client's revision. An older client rejects content of an unknown type. */
export function adaptToRevision(result: CallToolResult, revision = "2025-06-18"): CallToolResult {
  const isKnown = ({ type }: ContentBlock): boolean => revision >= (introducedIn[type] ?? "");
  if (result.content.every(isKnown)) return result;
  return {
    ...result,
    content: result.content.flatMap((block) => (isKnown(block) ? block : replacement(block))),
  };
}

/** Replaces audio by an embedded resource. A link is removed, because the text names it. */
function replacement(block: ContentBlock): ContentBlock[] {
  return block.type === "audio"
    ? [
        {
          type: "resource",
          resource: { uri: "result://audio", mimeType: block.mimeType, blob: block.data },
        },
      ]
    : [];
}

/** Unvalidated parameters of a request. */
export type Params = Readonly<Record<string, unknown>>;

/** Schema that accepts any parameters. The handlers validate them. */
export const passThroughSchema: StandardSchemaV1<Params, Params> = {
  "~standard": {
    version: 1,
    vendor: "runtime",
    validate: (params) => ({ value: (params ?? {}) as Params }),
  },
};

/** True if a revision is stateless: 2026-07-28 or later. */
export function isModernRevision(revision: string | undefined): revision is string {
  return revision !== undefined && revision >= "2026-07-28";
}

/**
 * True if a request is of 2026-07-28 or later. Such requests carry the envelope that older clients
 * sent once.
 */
export function isModernRequest({ mcpReq }: RequestContext): boolean {
  return mcpReq.envelope !== undefined;
}

const knownMembers: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

/**
 * Removes harmless deviations from a message or batch that the SDK would reject.
 * @param message result of `JSON.parse`; may be changed in place
 */
export function normalizeMessage(message: unknown): unknown {
  return Array.isArray(message) ? message.map(normalizeOne) : normalizeOne(message);
}

function normalizeOne(message: unknown): unknown {
  return isObject(message) ? dropNullParams(dropUnknownMembers(message)) : message;
}

/** Drops unknown members, which MCP's schema allows. */
function dropUnknownMembers(message: Record<string, unknown>): Record<string, unknown> {
  return hasOnlyKnownMembers(message)
    ? message
    : Object.fromEntries(Object.entries(message).filter(([name]) => knownMembers.has(name)));
}

/** A loop, because it runs for every message. */
function hasOnlyKnownMembers(message: object): boolean {
  for (const name in message) if (!knownMembers.has(name)) return false;
  return true;
}

/** Drops `null` parameters, which some clients send for absent ones. */
function dropNullParams(message: Record<string, unknown>): Record<string, unknown> {
  const { params } = message;
  if (params === null) delete message["params"];
  else if (isObject(params) && params["_meta"] === null) delete params["_meta"];
  return message;
}
