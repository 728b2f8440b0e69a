import type { SourceLocation } from "../diagnostics/index.js";
import type { JsonValue } from "../json.js";

/**
 * `mcp-gen.yaml`: what people decide about their tools, over what the generator infers.
 * The published JSON Schema is `mcp-gen.schema.json`; this is the same in TypeScript.
 */
export interface ConfigurationFile {
  readonly version: 1;
  /** Document to read; relative to the curation file, like every path here. */
  readonly spec?: string;
  readonly output?: string;
  readonly overlays?: readonly string[];
  readonly workflows?: readonly string[];
  readonly templates?: string;
  readonly runtime?: "copy" | "package";
  readonly namespace?: string;
  readonly budget?: Budget;
  readonly select?: {
    readonly default?: "include" | "exclude";
    readonly rules?: readonly SelectionRule[];
  };
  /** By wire name, for every operation that has the parameter. */
  readonly parameters?: Readonly<Record<string, ParameterConfig>>;
  /** Advice by status, for every tool. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly tools?: Readonly<Record<string, ToolConfig>>;
}

/** A checked curation, with the places of its keys. */
export interface Configuration {
  readonly content: ConfigurationFile;
  /** Place of any key of the file, by its path of keys: `["tools", "find_pets"]`. */
  readonly locationOf: (path: readonly (string | number)[]) => SourceLocation;
  /** What the file says about files, with paths as a program that runs here opens them. */
  readonly settings: FileSettings;
}

export interface FileSettings {
  readonly spec?: string;
  readonly output?: string;
  readonly overlays?: readonly string[];
  readonly workflows?: readonly string[];
  readonly templates?: string;
  readonly runtime?: "copy" | "package";
  readonly namespace?: string;
}

export interface Budget {
  readonly tools?: number;
  readonly listTokens?: number;
  readonly resultTokens?: number;
  readonly onExceed?: "discovery" | "warn" | "error";
}

/** The last rule that matches an operation decides. */
export interface SelectionRule {
  readonly match: {
    readonly tags?: readonly string[];
    /** Glob over path templates: `/internal/**`. */
    readonly path?: string;
    readonly method?: string;
    readonly operations?: readonly string[];
  };
  readonly include: boolean;
}

/** A value that the model never sees: a constant, or an environment variable. */
export type ParameterConfig =
  | { readonly fixed: JsonValue }
  | { readonly env: string }
  | { readonly hide: true };

/**
 * One tool by its name: which operations it stands for, and what to say otherwise than inferred.
 */
export interface ToolConfig {
  /** Operations that become one tool: operationIds or `METHOD /path`. */
  readonly merge?: readonly string[];
  readonly operation?: string;
  readonly workflow?: string;
  readonly include?: boolean;
  readonly title?: string;
  readonly description?: string;
  readonly useWhen?: string;
  readonly toolset?: string;
  readonly annotations?: Readonly<
    Partial<
      Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>
    >
  >;
  readonly inputs?: Readonly<Record<string, InputConfig>>;
  readonly output?: { readonly pick?: readonly string[]; readonly drop?: readonly string[] };
  readonly pagination?: { readonly maxItems?: number };
  readonly timeoutMs?: number;
  readonly errors?: Readonly<Record<string, string>>;
}

export interface InputConfig {
  readonly name?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly fixed?: JsonValue;
  readonly env?: string;
  readonly hide?: true;
  readonly required?: boolean;
  /** The input also accepts a name, looked up through another tool. */
  readonly resolve?: { readonly via: string; readonly match: string };
}
