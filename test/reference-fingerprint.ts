import { createHash } from "node:crypto";

/** RFC 8785, for parsed JSON, as plainly as it can be said. */
export function referenceCanonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(referenceCanonicalJson).join(",")}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${referenceCanonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** Fingerprint of a definition of `tools/list` without `_meta`, or of a lock without operations. */
export function referenceFingerprint(definition: object): string {
  const json = referenceCanonicalJson(JSON.parse(JSON.stringify(definition)));
  return `sha256:${createHash("sha256").update(json).digest("hex")}`;
}
