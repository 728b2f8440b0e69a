import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { generate } from "../../src/generate.js";
import { faultsOf, type Resource, yamlDocuments } from "../render/deployment/engines.js";
import { scratch } from "../write/tree.js";
import { blocksOf, shellLines } from "./snippets.js";

const page = "docs/deployment.md";
const [images = "", override = "", kustomization = ""] = blocksOf(page, "yaml");
const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0;

/** The generated files of the document that the page speaks of. */
async function deployed(): Promise<ReadonlyMap<string, string>> {
  const { files = [] } = await generate("samples/clinic/openapi.yaml", undefined, {
    deploy: ["compose", "kubernetes"],
  });
  return new Map(files.map(({ path, content }) => [path, content]));
}

describe("pinned images", () => {
  const digest = `sha256:${"0f".repeat(32)}`;
  const isCurrent = (yaml: string): void => {
    const { content, diagnostics } = parseConfiguration(`version: 1\n${yaml}`, "mcp-gen.yaml");
    expect(diagnostics).toEqual([]);
    expect(content?.images).toEqual({
      node: `node:24-alpine@${digest}`,
      caddy: `caddy:2-alpine@${digest}`,
      valkey: `valkey/valkey:8-alpine@${digest}`,
    });
  };

  test("are keys of mcp-gen.yaml", () => isCurrent(images.replaceAll("sha256:…", digest)));

  test.skipIf(process.platform === "win32")("are printed by Docker", () => {
    const loop = blocksOf(page, "sh").find((block) => block.startsWith("echo images:"))!;
    const folder = scratch();
    writeFileSync(join(folder, "docker"), `#!/bin/sh\necho ${digest}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
    isCurrent(execFileSync("sh", ["-c", loop], { env, encoding: "utf8" }));
  });
});

test("the override of compose.yaml is valid, and changes services that exist", async () => {
  expect(faultsOf("compose.yaml", override)).toEqual([]);
  const { services } = parse((await deployed()).get("compose.yaml")!) as { services: object };
  const changed = (parse(override) as { services: object }).services;
  expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(changed)));
});

test.skipIf(!hasKubectl)("the kustomization names the image and patches a resource", async () => {
  const folder = scratch();
  mkdirSync(join(folder, "server"));
  writeFileSync(join(folder, "server/kubernetes.yaml"), (await deployed()).get("kubernetes.yaml")!);
  writeFileSync(join(folder, "kustomization.yaml"), kustomization);
  const text = execFileSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
  expect(faultsOf("kubernetes.yaml", text)).toEqual([]);
  expect(text).toContain("image: images.example.com/clinic:1.0.0\n");
  const resources = yamlDocuments(text) as readonly Resource[];
  expect(resources.find(({ kind }) => kind === "HorizontalPodAutoscaler")!.spec).toMatchObject({
    minReplicas: 2,
    maxReplicas: 20,
  });
});

test.skipIf(!hasKubectl)("the Secret and the ConfigMap have the names of the file", async () => {
  const folder = scratch();
  writeFileSync(join(folder, ".env"), "MAPLEWOOD_CLINIC_TOKEN=abc\n");
  const lines = shellLines(page).filter(({ text }) => text.startsWith("kubectl create"));
  const created = lines.map(({ text }) => {
    const args = [...text.split(" ").slice(1), "--dry-run=client", "-o", "json"];
    const output = execFileSync("kubectl", args, { cwd: folder, encoding: "utf8" });
    return (JSON.parse(output) as Resource).metadata.name;
  });
  const kubernetes = (await deployed()).get("kubernetes.yaml")!;
  expect(created.length).toBe(2);
  for (const name of created) expect(kubernetes).toContain(`name: ${name}\n`);
});
