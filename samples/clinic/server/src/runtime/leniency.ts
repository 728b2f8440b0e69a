import { isObject } from "./object.js";

const known: ReadonlySet<string> = new Set([
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
export function leniently(message: unknown): unknown {
  return Array.isArray(message) ? message.map(one) : one(message);
}

function one(message: unknown): unknown {
  return isObject(message) ? withoutNull(withoutUnknown(message)) : message;
}

/**
 * Members that JSON-RPC does not know are no reason to refuse a message: MCP's own schema lets them
 * be.
 */
function withoutUnknown(message: Record<string, unknown>): Record<string, unknown> {
  return isKnown(message)
    ? message
    : Object.fromEntries(Object.entries(message).filter(([name]) => known.has(name)));
}

/** A loop, because every message comes by here. */
function isKnown(message: object): boolean {
  for (const name in message) if (!known.has(name)) return false;
  return true;
}

/** Some clients write `null` for parameters that they leave out. */
function withoutNull(message: Record<string, unknown>): Record<string, unknown> {
  const { params } = message;
  if (params === null) delete message["params"];
  else if (isObject(params) && params["_meta"] === null) delete params["_meta"];
  return message;
}
