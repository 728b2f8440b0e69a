import { isObject } from "../data/json.js";

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
