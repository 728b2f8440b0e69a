import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generate, type GenerateResult } from "../../src/index.js";
import { sampleInput } from "../../src/mock/index.js";
import { bindRequest } from "../../src/runtime/request/bind-request.js";
import { duplicates, portabilityFaults } from "./checks.js";
import { corpusDocuments, root, type CorpusDocument } from "./documents.js";
import { hostFormCounts, hostFormFaults } from "./result-forms.js";
import { bundle, listedTools, toolNamesOf } from "./server.js";
import { textFaults } from "./text-faults.js";
import { typeErrors } from "./typecheck.js";

/**
 * Every document of the corpus is generated. Its project is type-checked, bundled and served, and a
 * sampled call of every tool is bound.
 */
const documents = corpusDocuments();
const workspace = mkdtempSync(path.join(tmpdir(), "mcp-gen-corpus-"));

interface Project {
  readonly result: GenerateResult;
  readonly seconds: number;
  readonly folder: string;
}

const projects = new Map<string, Project>();

beforeAll(async () => {
  symlinkSync(path.join(root, "node_modules"), path.join(workspace, "node_modules"));
  for (const [i, document] of documents.entries()) {
    const folder = path.join(workspace, `project${i}`);
    const started = performance.now();
    const { files: _, ...result } = await generate(document.file, folder, {
      refRoot: document.refRoot,
    });
    projects.set(document.name, { result, seconds: (performance.now() - started) / 1000, folder });
  }
}, 300_000);

afterAll(() => {
  printTable();
  rmSync(workspace, { recursive: true });
});

const resultOf = (document: CorpusDocument): GenerateResult =>
  projects.get(document.name)?.result ?? expect.fail("not generated");
const generated = (): Project[] =>
  [...projects.values()].filter(({ result }) => result.written !== undefined);
const generatedFolders = (): string[] => generated().map(({ folder }) => folder);
const plannedNames = ({ plan }: GenerateResult): string[] | undefined =>
  plan?.tools.map(({ definition }) => definition.name);

/** Real documents. Those that show single features have made-up texts. */
const hasCheckedTexts = ({ name, operations = 0 }: CorpusDocument): boolean =>
  operations > 40 || name.endsWith("petstore.json");

describe.each(documents)("$name", (document) => {
  it("generates, or is rejected with one error", () => {
    const result = resultOf(document);
    if (document.operations === 0) expect(result.ok).toBe(false);
    if (document.operations)
      expect(result.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    if (!result.ok)
      expect(
        result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
      ).toHaveLength(1);
  });

  it("reports every omitted operation", () => {
    const { plan } = resultOf(document);
    if (!plan || document.operations === undefined) return;
    const reported = resultOf(document).diagnostics.filter(
      (d) =>
        d.severity === "warning" && /^#\/paths\/[^/]+(\/[^/]+)?$/.test(d.location?.pointer ?? ""),
    ).length;
    const served = new Set(
      plan.tools.flatMap((tool) =>
        tool.operations.map((o) => `${o.method} ${o.path} ${o.location.pointer}`),
      ),
    );
    expect(served.size + plan.omitted.length + reported).toBeGreaterThanOrEqual(
      document.operations,
    );
  });

  it("has portable names and schemas", () => {
    expect((resultOf(document).plan?.tools ?? []).flatMap(portabilityFaults)).toEqual([]);
    expect(duplicates(resultOf(document))).toEqual([]);
  });

  if (hasCheckedTexts(document))
    it("has short and plain texts", () => {
      expect((resultOf(document).plan?.tools ?? []).flatMap(textFaults)).toEqual([]);
    });

  it("loses nothing of a result in any form that hosts show", () => {
    const faults = (resultOf(document).plan?.tools ?? []).flatMap((tool) => hostFormFaults(tool));
    expect(faults.slice(0, 10)).toEqual([]);
  }, 600_000);

  it("binds a sampled call of every tool", () => {
    const plan = resultOf(document).plan;
    const env = { [`${plan?.api.envPrefix}_BASE_URL`]: "http://127.0.0.1:1/base" };
    const faults = (plan?.tools ?? []).flatMap(({ definition }) => {
      const request = definition.operations.at(-1);
      if (!request || !plan) return [`${definition.name}: no request`];
      const { minimal, full } = sampleInput(definition.inputSchema);
      return [minimal, full].flatMap((input) => {
        const bound = bindRequest(request.request, input, { api: plan.api, env });
        // A schema cannot express that one of several inputs is required. The minimal call is
        // correctly rejected for this reason.
        const problems = bound.ok
          ? []
          : bound.problems.filter(
              ({ problem }) => input !== minimal || !problem.startsWith("pass at least "),
            );
        return problems.map((p) => `${definition.name}: ${p.input} ${p.problem}`);
      });
    });
    expect(faults).toEqual([]);
  });
});

it("a client lists the tools of every project", async () => {
  const listed = await toolNamesOf(generatedFolders(), workspace);
  expect(listed.length).toBeGreaterThan(30);
  expect(listed).toEqual(generated().map(({ result }) => plannedNames(result)));
}, 600_000);

it("a project with each form of the entry point starts and lists its tools", async () => {
  const forms = new Map(generated().map((project) => [entryPointOf(project.folder), project]));
  expect(forms.size).toBeGreaterThan(1);
  for (const { result, folder } of forms.values())
    expect(await listedTools(await bundle(folder))).toEqual(plannedNames(result));
});

/** The entry point without the comment that names the document. */
const entryPointOf = (folder: string): string =>
  readFileSync(path.join(folder, "src/main.ts"), "utf8").replaceAll(/^\/\/.*$/gm, "");

it("type-checks every project under --strict", async () => {
  expect(await typeErrors(workspace, generatedFolders())).toBe("");
}, 600_000);

function countByReason(result: GenerateResult): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of result.plan?.omitted ?? [])
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

function printTable(): void {
  const rows = documents.map((document) => {
    const { result, seconds, folder } = projects.get(document.name) ?? expect.fail("not generated");
    const omitted = [...countByReason(result)].map(([reason, count]) => `${count} ${reason}`);
    const error = result.diagnostics.find((d) => d.severity === "error");
    const files = result.written ? readdirSync(folder, { recursive: true }).length : 0;
    return [
      document.name,
      String(document.operations ?? ""),
      String(result.plan?.tools.length ?? 0),
      error ? `rejected: ${error.message}` : omitted.join("; "),
      seconds.toFixed(2),
      String(files),
    ];
  });
  const table = [["document", "operations", "tools", "omitted", "seconds", "files"], ...rows];
  const { tools, results } = hostFormCounts;
  process.stdout.write(`${results} results of ${tools} tools in two forms\n`);
  process.stdout.write(
    `${table.map((cells) => cells.map((cell, i) => cell.slice(0, 90).padEnd([58, 10, 6, 60, 7, 5][i] ?? 0)).join("  ")).join("\n")}\n`,
  );
}
