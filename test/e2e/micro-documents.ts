import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Small documents about one feature each: those of the corpus, or else those of a development
 * dependency.
 */
export function microDocuments(): readonly (readonly [string, object])[] {
  const corpus = join(process.env["MCP_GEN_SHARED"] ?? "../shared", "corpus/feature-micro-docs");
  if (existsSync(corpus))
    return readdirSync(corpus)
      .filter((f) => f.endsWith(".json"))
      .map((f) => read(f, join(corpus, f)))
      .filter(hasOperations);
  const examples = dirname(
    createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"),
  );
  return ["3.0", "3.1"].flatMap((version) =>
    ["parameters-style", "file-uploads", "form-data", "security", "schema-types", "complex-nesting"]
      .map((name) => join(examples, version, "json", `${name}.json`))
      .filter((path) => existsSync(path))
      .map((path) => read(`${version} ${path.slice(path.lastIndexOf("/") + 1)}`, path)),
  );
}

/** Excludes documents with only webhooks. */
function hasOperations([, root]: readonly [string, object]): boolean {
  return "paths" in root;
}

function read(name: string, path: string): readonly [string, object] {
  return [name, JSON.parse(readFileSync(path, "utf8")) as object];
}
