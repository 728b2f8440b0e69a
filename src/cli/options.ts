import { canParseUrl } from "../runtime/data/urls.js";
import { InvalidArgumentError, Option } from "commander";
import { runtimeFeatures } from "../configuration/types.js";

/** Options as commander parses them. Other commands share some of them. */
export interface CommandOptions {
  readonly output?: string;
  readonly config?: string;
  readonly overlay?: readonly string[];
  readonly workflow?: readonly string[];
  /** True if the command writes drafts of workflows. */
  readonly workflows?: boolean;
  readonly name?: string;
  readonly namespace?: string;
  readonly granularity?: "task" | "operation";
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly onlyApi?: string;
  readonly includeDeprecated?: boolean;
  readonly baseUrl?: string;
  readonly outputSchemas?: "tolerant" | "strict";
  readonly refRoot?: string;
  readonly allowRemoteRefs?: readonly string[];
  readonly templates?: string;
  readonly runtime?: "copy" | "package";
  readonly features?: readonly RuntimeFeatureName[];
  readonly deploy?: readonly DeployTarget[];
  readonly ci?: "github";
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly cache?: boolean;
  readonly timings?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}

/** Options with their heading in `--help`. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly Option[];
}

/** Options of `mcp-gen [spec]`. */
export function generateOptions(): readonly OptionGroup[] {
  return [
    {
      title: "Output:",
      options: [
        new Option("-i, --input <spec>", "the document, as an option").argParser(notEmpty),
        outputOption(),
        ...toolOptions(),
        new Option(
          "--templates <dir>",
          "folder whose templates replace the default ones",
        ).argParser(notEmpty),
        new Option(
          "--runtime <source>",
          "copy: the project contains the runtime (default); package: it imports mcp-gen-runtime",
        ).choices(["copy", "package"]),
        new Option(
          "--features <names>",
          "features of the runtime that the project has although neither the API nor mcp-gen.yaml " +
            `needs them: ${RUNTIME_FEATURES.join(", ")}; separated by commas, or repeatable`,
        ).argParser(runtimeFeatureNames),
        new Option(
          "--deploy <engines>",
          "also write deployment configurations: compose, kubernetes, workers; with valkey, replicas " +
            "share their state in it; with prometheus, they serve metrics, by which Kubernetes " +
            "scales; separated by commas, or repeatable",
        ).argParser(deployTargets),
      ],
    },
    ...selectionOptions(),
    {
      title: "Run:",
      options: [
        new Option("--check", "write nothing; exit 1 when the folder is not up to date"),
        new Option("--dry-run", "write nothing; print what would be written"),
        new Option(
          "--ci <system>",
          "also write a CI workflow, once, that checks the folder and reports changes for agents",
        ).choices(["github"]),
        new Option(
          "--only-api <name>",
          "one of several APIs: write nothing if files of another would change, too",
        ).argParser(notEmpty),
        new Option("--watch", "regenerate when the document or another input changes"),
        new Option("--no-cache", "plan the tools again, although nothing has changed"),
        new Option(
          "--force",
          "overwrite edited files, and accept a folder that mcp-gen did not generate",
        ),
        ...reportingOptions(),
        new Option("--quiet", "print errors only"),
        new Option("--timings", "print how long each stage took, on stderr"),
      ],
    },
  ];
}

/**
 * Options of commands that plan the tools of a document without writing a project. Equal options
 * give equal tools.
 */
export function planningOptions(...own: readonly Option[]): readonly OptionGroup[] {
  return [
    { title: "Output:", options: [...own, ...toolOptions()] },
    ...selectionOptions(),
    { title: "Run:", options: reportingOptions() },
  ];
}

/** Arguments that give a command without a folder the options that plan the tools. */
export function planningArguments(options: CommandOptions): readonly string[] {
  const groups = [...toolOptions(), ...selectionOptions().flatMap((group) => group.options)];
  const values = options as Readonly<Record<string, unknown>>;
  // The base URL of the API has no effect on tools.
  return groups
    .filter(({ long }) => long !== "--base-url")
    .flatMap((option) => {
      const value = values[option.attributeName()];
      const flag = option.long as string;
      if (value === undefined || value === false) return [];
      if (value === true) return [flag];
      return (Array.isArray(value) ? value : [value]).flatMap((one) => [flag, String(one)]);
    });
}

function outputOption(): Option {
  return new Option("-o, --output <dir>", "folder of the generated project").argParser(notEmpty);
}

/** Options about the tools and their names. */
function toolOptions(): readonly Option[] {
  return [
    new Option(
      "-c, --config <file>",
      "configuration of the tools (default: mcp-gen.yaml of the current folder, for its document)",
    ).argParser(notEmpty),
    new Option(
      "--workflow <file>",
      "Arazzo document whose workflows become tools; repeatable",
    ).argParser(collect),
    new Option(
      "--overlay <file>",
      "OpenAPI Overlay to apply to the document first; repeatable",
    ).argParser(collect),
    new Option(
      "--name <package>",
      "npm name of the project (default: from the document's title)",
    ).argParser(packageName),
    new Option(
      "--namespace <prefix>",
      "prefix of every tool name and, in capitals, of the environment variables",
    ).argParser(namespace),
    new Option("--granularity <unit>", "one tool per task (default), or one per operation").choices(
      ["task", "operation"],
    ),
    new Option(
      "--base-url <url>",
      "base URL of the API, instead of the document's servers",
    ).argParser(baseUrl),
    new Option(
      "--output-schemas <mode>",
      "tolerant: accept responses of real APIs (default); strict: as in the document",
    ).choices(["tolerant", "strict"]),
  ];
}

function selectionOptions(): readonly OptionGroup[] {
  return [
    {
      title: "Operations:",
      options: [
        new Option(
          "--only <selector>",
          "a tag, an operationId or a 'METHOD /path' glob; repeatable",
        ).argParser(collect),
        new Option("--skip <selector>", "the same, for operations to omit; repeatable").argParser(
          collect,
        ),
        new Option("--include-deprecated", "include deprecated operations"),
      ],
    },
    {
      title: "References:",
      options: [
        new Option(
          "--ref-root <dir>",
          "folder that relative $refs may access (default: the document's)",
        ).argParser(notEmpty),
        new Option(
          "--allow-remote-refs <host>",
          "host of remote $refs to fetch; repeatable",
        ).argParser(collect),
      ],
    },
  ];
}

function reportingOptions(): readonly Option[] {
  return [
    new Option("--strict", "treat warnings as errors"),
    new Option("--json", "print the result as JSON"),
    new Option("--verbose", "print every diagnostic and every file"),
  ];
}

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), notEmpty(value)];
}

/** Rejects an empty option value. */
export function notEmpty(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return value;
}

const DEPLOY_TARGETS = ["compose", "kubernetes", "prometheus", "valkey", "workers"] as const;
type DeployTarget = (typeof DEPLOY_TARGETS)[number];
const deployTargets = listOf(DEPLOY_TARGETS, "engines");

const RUNTIME_FEATURES = ["all", ...runtimeFeatures] as const;
type RuntimeFeatureName = (typeof RUNTIME_FEATURES)[number];
const runtimeFeatureNames = listOf(RUNTIME_FEATURES, "features");

/** Parser of an option whose values are some names, separated by commas, and which may be repeated. */
function listOf<Name extends string>(
  allowed: readonly Name[],
  noun: string,
): (value: string, before?: readonly Name[]) => readonly Name[] {
  return (value, before = []) => {
    const names = value.split(",").map((name) => name.trim());
    const found = names.map((name) => allowed.find((one) => one === name));
    if (found.every((name) => name !== undefined)) return [...before, ...found];
    throw new InvalidArgumentError(`Allowed ${noun} are ${allowed.join(", ")}.`);
  };
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
function packageName(value: string): string {
  if (value.length <= 214 && /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/.test(value))
    return value;
  throw new InvalidArgumentError(
    "An npm name consists of lower-case letters, digits and hyphens, as in clinic-mcp-server.",
  );
}

function namespace(value: string): string {
  if (/^[a-z][a-z0-9_]{0,15}$/.test(value)) return value;
  throw new InvalidArgumentError(
    "It must have at most 16 lower-case letters, digits and underscores, and start with a letter.",
  );
}

function baseUrl(value: string): string {
  const url = canParseUrl(value) ? new URL(value) : undefined;
  if (
    url &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.password === ""
  )
    return value;
  throw new InvalidArgumentError(
    "It must be an https: or http: URL without credentials, as in https://api.example.com/v1.",
  );
}
