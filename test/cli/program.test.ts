import { expect, test } from "vitest";
import { parseArguments } from "../../src/cli/program.js";
import type { Terminal } from "../../src/cli/terminal.js";

function record(): Terminal & { readonly said: { out: string; err: string } } {
  const said = { out: "", err: "" };
  return {
    said,
    print: (text) => void (said.out += text),
    error: (text) => void (said.err += text),
    paint: (_severity, text) => text,
  };
}

const understood: readonly { given: string[]; want: object }[] = [
  {
    given: ["a.yaml", "-o", "out"],
    want: {
      source: "a.yaml",
      outDir: "out",
      options: { output: "out" },
    },
  },
  { given: ["-o", "out", "a.yaml"], want: { source: "a.yaml", outDir: "out" } },
  { given: ["a.yaml", "--output=out"], want: { outDir: "out" } },
  { given: ["-", "-o", "out"], want: { source: "-" } },
  {
    given: ["https://x.example/openapi.json", "-o", "out"],
    want: { source: "https://x.example/openapi.json" },
  },
  { given: ["a.yaml", "--dry-run"], want: { source: "a.yaml", options: { dryRun: true } } },
  {
    given: ["a.yaml", "-o", "out", "--only", "pets", "--only", "GET /**", "--skip", "x, y"],
    want: { options: { only: ["pets", "GET /**"], skip: ["x, y"] } },
  },
  {
    given: ["--only", "pets", "a.yaml", "-o", "out"],
    want: { source: "a.yaml", options: { only: ["pets"] } },
  },
  {
    given: [
      "a.yaml",
      "-o",
      "out",
      "--allow-remote-refs",
      "a.example",
      "--allow-remote-refs",
      "b.example",
    ],
    want: { options: { allowRemoteRefs: ["a.example", "b.example"] } },
  },
  {
    given: ["a.yaml", "-o", "out", "--output-schemas", "strict"],
    want: { options: { outputSchemas: "strict" } },
  },
  {
    given: [
      "a.yaml",
      "-o",
      "out",
      "--namespace",
      "shop",
      "--name",
      "@acme/shop-mcp",
      "--base-url",
      "https://x.example/v1",
    ],
    want: {
      options: { namespace: "shop", name: "@acme/shop-mcp", baseUrl: "https://x.example/v1" },
    },
  },
  {
    given: [
      "a.yaml",
      "-o",
      "out",
      "--check",
      "--force",
      "--strict",
      "--json",
      "--verbose",
      "--include-deprecated",
    ],
    want: {
      options: {
        check: true,
        force: true,
        strict: true,
        json: true,
        verbose: true,
        includeDeprecated: true,
      },
    },
  },
  {
    given: [
      "a.yaml",
      "-o",
      "out",
      "--overlay",
      "a.yaml",
      "--overlay",
      "b.yaml",
      "--config",
      "c.yaml",
    ],
    want: { options: { overlay: ["a.yaml", "b.yaml"], config: "c.yaml" } },
  },
  {
    given: ["a.yaml", "crm=b.yaml", "-o", "out"],
    want: { sources: ["a.yaml", "crm=b.yaml"], outDir: "out" },
  },
  { given: ["-c", "c.yaml"], want: { options: { config: "c.yaml" } } },
  { given: [], want: { options: {} } },
  { given: ["-o", "out", "--", "-odd.yaml"], want: { source: "-odd.yaml" } },
];

for (const { given, want } of understood) {
  test(`mcp-gen ${given.join(" ")} is understood`, () => {
    const terminal = record();
    expect(parseArguments(given, terminal)).toMatchObject(want);
    expect(terminal.said).toEqual({ out: "", err: "" });
  });
}

const complaints: readonly { given: string[]; says: RegExp }[] = [
  { given: [""], says: /^error: Give an OpenAPI document/ },
  { given: ["a.yaml", "-o"], says: /argument missing/ },
  { given: ["a.yaml", "-o", ""], says: /It must not be empty/ },
  {
    given: ["a.yaml", "out"],
    says: /^error: out is not a document\. Give the output folder with -o\.\nRun mcp-gen --help/,
  },
  {
    given: ["plna", "a.yaml"],
    says: /^error: There is no command or document plna\. Did you mean plan\?\n/,
  },
  { given: ["doctor"], says: /^error: There is no command or document doctor\. .* init, plan, / },
  {
    given: ["a.yaml", "-o", "out", "--forse"],
    says: /unknown option '--forse'\n\(Did you mean --force\?\)/,
  },
  { given: ["a.yaml", "-o", "out", "--namespace", "9x"], says: /start with a letter/ },
  { given: ["a.yaml", "-o", "out", "--name", "No Spaces"], says: /npm name/ },
  { given: ["a.yaml", "-o", "out", "--base-url", "ftp://x"], says: /https: or http: URL/ },
  {
    given: ["a.yaml", "-o", "out", "--base-url", "https://u:p@x.example"],
    says: /without credentials/,
  },
  {
    given: ["a.yaml", "-o", "out", "--output-schemas", "loose"],
    says: /Allowed choices are tolerant, strict/,
  },
  { given: ["a.yaml", "-o", "out", "--only", " "], says: /It must not be empty/ },
];

for (const { given, says } of complaints) {
  test(`mcp-gen ${given.join(" ")} is a usage error`, () => {
    const terminal = record();
    expect(parseArguments(given, terminal)).toBe(2);
    expect(terminal.said.out).toBe("");
    expect(terminal.said.err).toMatch(says);
    expect(terminal.said.err).toMatch(/Run mcp-gen --help for the options\.\n$/);
  });
}

test("--help names every option, has examples, and explains the exit codes", () => {
  const terminal = record();
  expect(parseArguments(["--help"], terminal)).toBe(0);
  expect(terminal.said.err).toBe("");
  for (const word of [
    "--output",
    "--config",
    "--overlay",
    "--name",
    "--namespace",
    "--base-url",
    "--output-schemas",
    "--templates",
    "--only",
    "--skip",
    "--include-deprecated",
    "--ref-root",
    "--allow-remote-refs",
    "--check",
    "--watch",
    "--dry-run",
    "--force",
    "--strict",
    "--json",
    "--verbose",
    "--version",
    "Examples:",
    "Exit codes:",
  ]) {
    expect(terminal.said.out).toContain(word);
  }
  expect(terminal.said.out.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("--version prints the version alone", () => {
  const terminal = record();
  expect(parseArguments(["--version"], terminal)).toBe(0);
  expect(terminal.said.out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
