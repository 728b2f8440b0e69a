import { isObject } from "./object.js";

const names: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

/** A message, or a batch, without the members that JSON-RPC does not know. They are no reason to refuse it, as the SDK does; MCP's own schema lets them be. */
export function knownMembers(message: unknown): unknown {
  return Array.isArray(message) ? message.map(known) : known(message);
}

function known(message: unknown): unknown {
  if (!isObject(message) || Object.keys(message).every((name) => names.has(name))) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => names.has(name)));
}
