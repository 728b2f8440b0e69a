import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Diagnostic } from "../../src/diagnostics/index.js";
import type { LoadResult } from "../../src/load/index.js";

/** Files by path; objects are serialized as JSON. */
export type Files = Readonly<Record<string, string | Uint8Array | object>>;

/** Writes files to a folder for the duration of the test. */
export function folder(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "mcp-gen-load-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(
      join(root, path),
      typeof content === "string" || content instanceof Uint8Array
        ? content
        : JSON.stringify(content, null, 2),
    );
  }
  return root;
}

/**
 * A document with one operation, `GET /pets`, that answers with a schema, and with further parts at
 * its root.
 */
export function api(schema: unknown, rest: object = {}): object {
  const ok = { description: "ok", content: { "application/json": { schema } } };
  return {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: { "/pets": { get: { responses: { 200: ok } } } },
    ...rest,
  };
}

/** Where `api` puts its schema. */
export const schemaOfApi = "#/paths/~1pets/get/responses/200/content/application~1json/schema";

/** The diagnostics, then the problems that the model reports, with their positions. */
export function problemsOf({ document, diagnostics, locate }: LoadResult): readonly Diagnostic[] {
  const left = [...(document?.brokenRefs?.values() ?? [])];
  return [
    ...diagnostics,
    ...left.map((d) => (d.location ? { ...d, location: locate(d.location) } : d)),
  ];
}
