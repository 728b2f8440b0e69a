import { isObject } from "./object.js";

const names: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

/**
 * A message, or a batch, as the SDK takes it: without the members that JSON-RPC does not know, which are no reason to refuse it, as MCP's
 * own schema lets them be, and without `null` where some clients write it for what they leave out.
 * @param message as `JSON.parse` gave it; it may be changed in place
 */
export function knownMembers(message: unknown): unknown {
  return Array.isArray(message) ? message.map(known) : known(message);
}

function known(message: unknown): unknown {
  if (!isObject(message)) return message;
  const own = isKnown(message) ? message : Object.fromEntries(Object.entries(message).filter(([name]) => names.has(name)));
  dropNull(dropNull(own, "params"), "_meta");
  return own;
}

/** @returns the member, to look into */
function dropNull(object: unknown, name: string): unknown {
  if (!isObject(object)) return undefined;
  if (object[name] === null) delete object[name];
  return object[name];
}

/** A loop, because every message comes by here. */
function isKnown(message: object): boolean {
  for (const name in message) if (!names.has(name)) return false;
  return true;
}
