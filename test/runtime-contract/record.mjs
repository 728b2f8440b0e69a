// `npm run runtime-contract`: records mcp-gen-runtime and a project that imports it, as of the
// first version of a compatible range. test/e2e/runtime-contract.test.ts runs each with the current
// other one. Record again only with a new range: a minor version before 1.0, a major version after
// it.
import { writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { packageProject, smallRuntime } from "./projects.mjs";

const [project, runtime] = await Promise.all([packageProject(), smallRuntime()]);
const record = Buffer.from(JSON.stringify({ project, runtime }));
writeFileSync(new URL("recorded.json.br", import.meta.url), brotliCompressSync(record));
