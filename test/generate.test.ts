import { expect, test } from "vitest";
import { generate, type GenerateOptions } from "../src/generate.js";

/** A document with one warning about each of the named operations. */
function document(...faulty: readonly string[]): Uint8Array {
  const operation = (name: string, deprecated = false): object => ({
    get: {
      operationId: `list${name}`,
      deprecated,
      responses: {
        200: {
          description: "Found",
          content: { [faulty.includes(name) ? "nonsense" : "text/plain"]: {} },
        },
      },
    },
  });
  return Buffer.from(
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      servers: [{ url: "https://shop.example" }],
      paths: {
        "/books": operation("Books"),
        "/films": operation("Films"),
        "/tapes": operation("Tapes", true),
      },
    }),
  );
}

test.each<readonly [string, GenerateOptions, readonly string[]]>([
  ["every operation", { includeDeprecated: true }, ["/books", "/films", "/tapes"]],
  ["no deprecated one", {}, ["/books", "/films"]],
  ["--only", { only: ["GET /books"] }, ["/books"]],
  ["--skip", { skip: ["GET /books"] }, ["/films"]],
])("warnings are about selected operations: %s", async (_, options, want) => {
  const stdin = async (): Promise<Uint8Array> => document("Books", "Films", "Tapes");
  const { diagnostics, ok } = await generate("-", undefined, { ...options, stdin });
  const located = diagnostics.filter(({ code }) => code === "model-media-type");
  const pathsOf = (severity: string): readonly string[] =>
    located
      .filter((finding) => finding.severity === severity)
      .map(({ location }) => location!.pointer.split("/")[2]!.replace("~1", "/"));
  expect([ok, pathsOf("warning")]).toEqual([true, want]);
  expect([...pathsOf("warning"), ...pathsOf("info")].sort()).toEqual([
    "/books",
    "/films",
    "/tapes",
  ]);
});

test("with --strict, only warnings about selected operations are errors", async () => {
  const stdin = async (): Promise<Uint8Array> => document("Films");
  const run = (only: string) => generate("-", undefined, { only: [only], strict: true, stdin });
  const results = await Promise.all([run("GET /books"), run("GET /films")]);
  expect(results.map(({ ok }) => ok)).toEqual([true, false]);
});
