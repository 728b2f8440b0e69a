import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseConfiguration } from "../../../src/configuration/parse-configuration.js";
import { settingsOf } from "../../../src/configuration/index.js";
import type { Configuration } from "../../../src/configuration/types.js";
import { generate, type GenerateOptions, type ToolPlan } from "../../../src/index.js";
import { isEssentialField } from "../../../src/key-fields.js";
import { proposeConfiguration } from "../../../src/render/configuration-proposal/index.js";
import { itemFields } from "../../../src/render/configuration-proposal/suggestions.js";
import { scratch } from "../../write/tree.js";

const shared = process.env.MCP_GEN_SHARED ?? "../shared";
const documents = [
  ...["clinic", "library", "shop", "tickets"].map((name) => `samples/${name}/openapi.yaml`),
  "samples/legacy-orders/swagger.yaml",
  ...[
    ...["box/openapi.json", "figma/openapi.yaml", "pagerduty/openapiv3.json"],
    ...["slack-web-api/slack_web_openapi_v2.json", "spotify/official-spotify-open-api.yml"],
    ...["docker-engine/swagger.yaml", "uber-2.0/uber.json", "petstore-3.0/openapi.yaml"],
    "discord/openapi.json",
  ].map((file) => join(shared, "corpus", file)),
];

/** Suggestions of one kind and document that are applied. */
const MAX_APPLIED = 40;

const counts = new Map<string, number>();
const countApplied = (kind: string, many: number): unknown =>
  counts.set(kind, (counts.get(kind) ?? 0) + many);
afterAll(() => console.log("Suggestions applied:", Object.fromEntries([...counts].sort())));

async function planOf(source: string, options: GenerateOptions = {}): Promise<ToolPlan> {
  const { plan, diagnostics } = await generate(source, undefined, { ...options, planOnly: true });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors).toEqual([]);
  return plan ?? expect.fail("no plan");
}

function configured(yaml: string): Configuration {
  const { content, locationOf, diagnostics } = parseConfiguration(yaml, "mcp-gen.yaml");
  expect(diagnostics).toEqual([]);
  if (!content) return expect.fail(yaml);
  const { spec: _s, output: _o, ...settings } = settingsOf(content, "mcp-gen.yaml");
  return { content, locationOf, settings };
}

const definitionsOf = ({ tools }: ToolPlan): readonly object[] =>
  tools.map(({ definition }) => definition);

/** Options with one suggestion of a proposal in force. */
function onlyWith(line: string, proposal: string): GenerateOptions {
  const taken = line.replace(/^ {4}# /, "    ");
  const isInput = taken.startsWith("      ");
  return {
    configuration: configured(proposal.replace(line, isInput ? `    inputs:\n${taken}` : taken)),
  };
}

/** Options with the suggestions, each as a user pastes it. Rules of one key are merged. */
function applied(hints: readonly string[]): GenerateOptions {
  const rules: Record<string, object> = {};
  const actions: string[] = [];
  for (const hint of hints) {
    const [, where, text = ""] =
      /^(In mcp-gen\.yaml|As an overlay action): ([^]*)$/.exec(hint) ?? [];
    if (where === "As an overlay action") actions.push(text);
    const [, key = "", value = "{}"] = /^(\w+): ([^]*)$/.exec(text) ?? [];
    if (where === "In mcp-gen.yaml") rules[key] = { ...rules[key], ...JSON.parse(value) };
  }
  const overlay = join(scratch(), "overlay.yaml");
  const head = 'overlay: 1.0.0\ninfo: {title: Fixes, version: "1"}\nactions:\n';
  writeFileSync(overlay, head + actions.map((action) => `  - ${action}\n`).join(""));
  const yaml = Object.entries(rules).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return {
    configuration: configured(`version: 1\n${yaml.join("")}`),
    ...(actions.length > 0 && { overlays: [overlay] }),
  };
}

const isPasteable = (hint: string | undefined): hint is string =>
  /^(In mcp-gen\.yaml|As an overlay action): /.test(hint ?? "");
const namesOf = ({ tools }: ToolPlan): readonly string[] =>
  tools.map(({ definition }) => definition.name).sort();
const keysOf = ({ lint }: ToolPlan): readonly string[] =>
  lint.map(({ code, location }) => `${code} ${location?.pointer}`);

/** Fields of a result by which an agent recognizes and judges it, by tool. */
function essentialFields(plan: ToolPlan): readonly string[] {
  return plan.tools.flatMap(({ definition: { name, outputSchema } }) =>
    [...itemFields(outputSchema), ...Object.keys(outputSchema?.["properties"] ?? {})]
      .filter(isEssentialField)
      .map((field) => `${name}.${field}`),
  );
}

describe.each(documents)("the suggestions for %s", (source) => {
  let unchanged: Promise<ToolPlan> | undefined;
  const plainPlan = (): Promise<ToolPlan> => (unchanged ??= planOf(source));

  test.skipIf(!existsSync(source))("improve its tools", async () => {
    const before = await plainPlan();
    const pasteable = before.lint.filter(({ hint }) => isPasteable(hint));
    for (const code of new Set(pasteable.map((finding) => finding.code))) {
      const findings = pasteable.filter((finding) => finding.code === code);
      const some = findings.slice(0, MAX_APPLIED);
      const hints = some.map(({ hint = "" }) => hint);
      expect(hints.filter((hint) => /…|\bhere\b|TODO|\bdescribe\b/i.test(hint))).toEqual([]);
      const after = await planOf(source, applied(hints));
      const fixed = new Set(some.map(({ location }) => `${code} ${location?.pointer}`));
      const known = new Set(keysOf(before));
      expect
        .soft(
          keysOf(after).filter((key) => fixed.has(key)),
          code,
        )
        .toEqual([]);
      expect
        .soft(
          keysOf(after).filter((key) => !known.has(key)),
          code,
        )
        .toEqual([]);
      if (code !== "lint-generic-name") expect.soft(namesOf(after), code).toEqual(namesOf(before));
      countApplied(code, some.length);
    }
  });

  test.skipIf(!existsSync(source))("of the plan keep name and status", async () => {
    const before = await plainPlan();
    const proposal = proposeConfiguration(before, {
      spec: "./openapi.yaml",
      output: "./server",
      namespace: undefined,
      isFiltered: false,
    });
    const suggested = proposal.match(/^ {4}# .*$/gm) ?? [];
    const after = await planOf(source, {
      configuration: configured(proposal.replace(/^ {4}# /gm, "    ")),
    });
    expect(suggested.filter((line) => !line.endsWith("inputs:")).length).toBeLessThanOrEqual(10);
    if (source.startsWith("samples"))
      for (const line of suggested.filter((one) => !one.endsWith("inputs:")))
        expect(definitionsOf(await planOf(source, onlyWith(line, proposal)))).not.toEqual(
          definitionsOf(before),
        );
    expect(namesOf(after)).toEqual(namesOf(before));
    expect(after.lint.length).toBeLessThanOrEqual(before.lint.length);
    expect(essentialFields(after)).toEqual(expect.arrayContaining([...essentialFields(before)]));
    for (const kind of ["pick", "hide", "resolve", "maxItems"])
      countApplied(`plan ${kind}`, suggested.filter((line) => line.includes(`${kind}:`)).length);
  });

  test.skipIf(!existsSync(source))("about its budget lower the cost", async () => {
    const tight = configured("version: 1\nbudget: {tools: 1, listTokens: 100}\n");
    const { budget } = await planOf(source, { configuration: tight });
    for (const sentence of budget.advice) {
      expect(sentence).not.toMatch(/…|NAME/);
      const [, line = ""] =
        /((?:select|tools|budget): \{.*\}) in mcp-gen\.yaml/.exec(sentence) ?? [];
      if (line === "") continue;
      const after = await planOf(source, { configuration: configured(`version: 1\n${line}\n`) });
      if (line.startsWith("budget")) expect(after.budget.exceeded).toEqual([]);
      else if (line.startsWith("select"))
        expect(after.budget.listTokens).toBeLessThan(budget.listTokens);
      // The fields of a result are in the list, and no model reads them there.
      else expect(after.budget.listBytes).toBeLessThan(budget.listBytes);
      if (line.startsWith("tools"))
        expect(essentialFields(after)).toEqual(
          expect.arrayContaining([...essentialFields(await plainPlan())]),
        );
      countApplied(`budget ${line.split(":")[0]}`, 1);
    }
  });
});
