import { isObject } from "../json.js";

const knownMembers: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

/**
 * A message, or a batch, as the SDK takes it: it refuses what some clients write and what does no
 * harm.
 * @param message as `JSON.parse` gave it; it may be changed in place
 */
export function normalizeMessage(message: unknown): unknown {
  return Array.isArray(message) ? message.map(normalizeOne) : normalizeOne(message);
}

function normalizeOne(message: unknown): unknown {
  return isObject(message) ? dropNullParams(dropUnknownMembers(message)) : message;
}

/**
 * Members that JSON-RPC does not know are no reason to refuse a message: MCP's own schema lets them
 * be.
 */
function dropUnknownMembers(message: Record<string, unknown>): Record<string, unknown> {
  return hasOnlyKnownMembers(message)
    ? message
    : Object.fromEntries(Object.entries(message).filter(([name]) => knownMembers.has(name)));
}

/** A loop, because every message comes by here. */
function hasOnlyKnownMembers(message: object): boolean {
  for (const name in message) if (!knownMembers.has(name)) return false;
  return true;
}

/** Some clients write `null` for parameters that they leave out. */
function dropNullParams(message: Record<string, unknown>): Record<string, unknown> {
  const { params } = message;
  if (params === null) delete message["params"];
  else if (isObject(params) && params["_meta"] === null) delete params["_meta"];
  return message;
}
