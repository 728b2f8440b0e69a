import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as parser from "@actions/workflow-parser";
import { build } from "esbuild";
import { scratch } from "../../write/tree.js";

/**
 * GitHub's parser of workflows, in one file: it imports JSON without saying so, which Node refuses.
 */
async function load(): Promise<typeof parser> {
  const outfile = join(scratch(), "parser.cjs");
  const { outputFiles } = await build({
    stdin: {
      contents: 'export * from "@actions/workflow-parser";',
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  writeFileSync(outfile, outputFiles[0]!.contents);
  return createRequire(import.meta.url)(outfile) as typeof parser;
}

const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await load();

/**
 * What GitHub has against a workflow: its form, its names, and the expressions in it with what they
 * may name where they stand.
 */
export async function complaints(content: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow(
    { name: "workflow.yml", content },
    new NoOperationTraceWriter(),
  );
  const found = context.errors.getErrors().map(({ message }) => message);
  if (found.length > 0 || !value) return [...found, ...(value ? [] : ["nothing"])];
  const { errors = [] } = await convertWorkflowTemplate(context, value);
  return errors.map(({ Message }) => Message);
}
