import { canonicalJson } from "../data/canonical-json.js";
import type { ToolListing } from "./definitions.js";
import { listedInputSchema } from "./shown-definition.js";

/** Fingerprints by tool. Definitions do not change. */
const known = new WeakMap<ToolListing, Promise<string>>();

/**
 * Returns the fingerprint of a definition as `tools/list` sends it, without `_meta`: `sha256:` and
 * the hash of its canonical form (RFC 8785). Clients can compute it from parsed JSON in any member
 * order, to detect a changed tool.
 */
export function fingerprintOf(tool: ToolListing): Promise<string> {
  const fingerprint = known.get(tool) ?? hashDefinition(tool);
  known.set(tool, fingerprint);
  return fingerprint;
}

async function hashDefinition(tool: ToolListing): Promise<string> {
  const { name, title, description, annotations, outputSchema } = tool;
  const inputSchema = listedInputSchema(tool.inputSchema);
  const listed = { name, title, description, annotations, inputSchema, outputSchema };
  const bytes = new TextEncoder().encode(canonicalJson(listed));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
