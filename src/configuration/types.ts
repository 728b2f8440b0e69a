import type { SourceLocation } from "../diagnostics/index.js";
import type { JsonValue } from "../json.js";

/** Images that the generated files name: base of the server, proxy and store. */
export type ImageName = "node" | "caddy" | "valkey";

/** Parts of the copied runtime that are left out of projects that cannot need them. */
export const runtimeFeatures = [
  "approvals",
  "cluster",
  "discovery",
  "dry-run",
  "files",
  "metrics",
  "oauth",
  "prompts",
  "raw-requests",
  "steps",
  "stores",
  "telemetry",
] as const;
export type RuntimeFeature = (typeof runtimeFeatures)[number];

/**
 * Content of `mcp-gen.yaml`, which overrides what the generator infers. `mcp-gen.schema.json` is
 * its published JSON Schema.
 */
export interface ConfigurationFile {
  readonly version: 1;
  /** OpenAPI document; relative to the configuration file, like every path here. */
  readonly spec?: string;
  /** APIs of one server, in place of `spec`. */
  readonly apis?: Readonly<Record<string, ApiConfig>>;
  readonly output?: string;
  readonly overlays?: readonly string[];
  readonly workflows?: readonly string[];
  readonly templates?: string;
  readonly runtime?: "copy" | "package";
  readonly features?: readonly (RuntimeFeature | "all")[];
  /** Versions of the project's packages, by name. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Container images of the generated files. */
  readonly images?: Readonly<Partial<Record<ImageName, string>>>;
  readonly deploy?: readonly ("compose" | "kubernetes" | "prometheus" | "valkey" | "workers")[];
  readonly namespace?: string;
  /** npm name of the project. */
  readonly name?: string;
  readonly baseUrl?: string;
  /** Origins that receive credentials in addition to that of the base URL. */
  readonly hosts?: readonly string[];
  readonly granularity?: "task" | "operation";
  readonly outputSchemas?: "tolerant" | "strict";
  readonly includeDeprecated?: boolean;
  readonly refRoot?: string;
  readonly allowRemoteRefs?: readonly string[];
  readonly server?: ServerConfig;
  /** Tools whose writes the user must approve. */
  readonly approve?: "destructive" | "writes" | readonly string[];
  /** Requirement of operations for which the document states none: OR of ANDs, with scopes. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly budget?: Budget;
  readonly select?: {
    readonly default?: "include" | "exclude";
    readonly rules?: readonly SelectionRule[];
  };
  /** By parameter name, for every operation that has the parameter. */
  readonly parameters?: Readonly<Record<string, ParameterConfig>>;
  /** Advice by HTTP status, for every tool. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly tools?: Readonly<Record<string, ToolConfig>>;
  /** IDs that an API takes from the results of another, in a server of several. */
  readonly links?: readonly LinkConfig[];
}

/** An input (`tool.input`), and the tool or the field (`tool.field`) that its value comes from. */
export interface LinkConfig {
  readonly input: string;
  readonly from: string;
  /** Field of the results with the name, by which the input can be looked up. */
  readonly match?: string | readonly string[];
}

/** What the configuration says about one API of a server of several. */
export type ApiConfig = Pick<
  ConfigurationFile,
  | "overlays"
  | "namespace"
  | "baseUrl"
  | "hosts"
  | "granularity"
  | "outputSchemas"
  | "includeDeprecated"
  | "refRoot"
  | "allowRemoteRefs"
  | "server"
  | "approve"
  | "security"
  | "select"
  | "parameters"
  | "errors"
  | "tools"
> & { readonly spec: string };

/** Validated configuration with the locations of its keys. */
export interface Configuration {
  readonly content: ConfigurationFile;
  /** Location of a key by its path: `["tools", "find_pets"]`. */
  readonly locationOf: (path: readonly (string | number)[]) => SourceLocation;
  /** Settings of the run, with paths relative to the working directory. */
  readonly settings: FileSettings;
  /** The APIs of a server of several, each with the configuration that it would have alone. */
  readonly apis?: readonly ConfiguredApi[];
}

/** An API of a server of several. */
export interface ConfiguredApi {
  readonly name: string;
  readonly configuration: Configuration;
}

/** Keys that are options of the command line, too. */
export type FileSettings = Pick<
  ConfigurationFile,
  | "spec"
  | "output"
  | "overlays"
  | "workflows"
  | "templates"
  | "runtime"
  | "features"
  | "packages"
  | "images"
  | "deploy"
  | "namespace"
  | "name"
  | "baseUrl"
  | "granularity"
  | "outputSchemas"
  | "includeDeprecated"
  | "refRoot"
  | "allowRemoteRefs"
>;

/** The MCP server as clients see it, and headers of its requests to the API. */
export interface ServerConfig {
  readonly name?: string;
  readonly title?: string;
  readonly instructions?: string;
  /** False if no tool reads the text of the document about the whole API. */
  readonly documentation?: boolean;
  /** True if there is a tool that sends any request to the API. */
  readonly rawRequests?: boolean;
  /**
   * True if there is a tool that calls several tools in one call, `reads` if it calls only those
   * that read.
   */
  readonly runSteps?: boolean | "reads";
  /**
   * False if things are not read after writes; true, or the names of tools, if they are also read
   * where the response has a part of the thing.
   */
  readonly readBack?: boolean | readonly string[];
  /** False if reads take one ID, unless `bulk` of a tool says otherwise. */
  readonly bulkReads?: boolean;
  /** False if writes take one ID, unless `bulk` of a tool says otherwise. */
  readonly bulkWrites?: boolean;
  /** False if reads of a thing return no lists of its parts. */
  readonly includeLists?: boolean;
  /** False if calls cannot ask for the total of a list alone. */
  readonly countOnly?: boolean;
  /** False if a call requests one page of a list, unless `pagination` configures it. */
  readonly followPages?: boolean;
  /** True if calls choose the fields of large results. */
  readonly fields?: boolean;
  /** False if the IDs of names are not looked up. */
  readonly lookUpNames?: boolean;
  /** `openWorldHint` of all tools. */
  readonly openWorld?: boolean;
  /** True if calls may neither add fields to bodies nor give values of other types. */
  readonly strictInputs?: boolean;
  /** By header name: a constant, or the environment variable that holds the value. */
  readonly headers?: Readonly<Record<string, string | { readonly env: string }>>;
}

export interface Budget {
  readonly tools?: number;
  readonly listTokens?: number;
  readonly resultTokens?: number;
  readonly onExceed?: "hybrid" | "discovery" | "warn" | "error";
  /** Names of the tools that hosts should always show. */
  readonly listed?: readonly string[];
}

/** Selection rule; the last one that matches an operation applies. */
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

/** Value that the model does not see, or `hide: false` for an input that inference hides. */
export type ParameterConfig =
  | { readonly fixed: JsonValue }
  | {
      readonly env: string;
      /** The variable is a default; the value stays an input. */
      readonly override?: true;
    }
  | { readonly hide: boolean };

/** Configuration of one tool: its operations, and values that replace inferred ones. */
export interface ToolConfig {
  /** Operations to merge. The keys of an object are the values of an input that chooses one. */
  readonly merge?: readonly MergeEntry[] | Readonly<Record<string, MergeEntry>>;
  /** Name of the input that chooses an operation by its key. Default `action`. */
  readonly choose?: string;
  readonly operation?: string;
  readonly workflow?: string;
  readonly include?: boolean;
  readonly title?: string;
  readonly description?: string;
  readonly useWhen?: string;
  /** Situations in which another tool is the right one. */
  readonly notFor?: string;
  /** What users say, each with the inputs of the call that answers it. */
  readonly examples?: readonly CallExample[];
  /** Words of the users' trade by which `search_tools` finds the tool. */
  readonly keywords?: readonly string[];
  readonly toolset?: string;
  readonly annotations?: Readonly<
    Partial<
      Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>
    >
  >;
  /** Rules by input. The list `only` names the inputs that the tool keeps. */
  readonly inputs?: Readonly<Record<string, InputConfig | readonly string[]>>;
  readonly output?: OutputConfig;
  readonly pagination?: { readonly maxItems?: number };
  /** False if a read of a thing returns no lists of its parts, or the tools of these lists, by name. */
  readonly includeLists?: boolean | Readonly<Record<string, string>>;
  /** True for a tool that only other tools of the server call. */
  readonly hidden?: true;
  /** False if a call requests one page of the list. */
  readonly followPages?: boolean;
  /** False if the IDs of names are not looked up for its inputs. */
  readonly lookUpNames?: boolean;
  /** True if a call may change several things, false if it reads one only. */
  readonly bulk?: boolean;
  /** True if the user must approve its writes, with `type` by the name of the thing. */
  readonly approve?: boolean | { readonly type: "name" };
  /** False if a call does not wait for work that it starts, or how the work is followed. */
  readonly job?: false | JobConfig;
  readonly timeoutMs?: number;
  readonly errors?: Readonly<Record<string, string>>;
}

/** What a user says, and the inputs of the call that answers it. */
export interface CallExample {
  readonly say: string;
  readonly call: Readonly<Record<string, JsonValue>>;
}

/** How work that a call starts is followed. Paths of fields have dots. */
export interface JobConfig {
  /** Field with the state. */
  readonly state?: string;
  readonly done?: readonly (string | number | boolean)[];
  readonly failed?: readonly (string | number | boolean)[];
  /** Field of the response with the ID for `follow`. */
  readonly id?: string;
  /** Tool that reads the state. */
  readonly follow?: string;
  /** Seconds that a call waits at most. */
  readonly wait?: number;
}

/** An operation of a merge: an operationId or `METHOD /path`, or that with new names of inputs. */
export type MergeEntry =
  | string
  | {
      readonly operation: string;
      readonly inputs?: Readonly<Record<string, { readonly name: string }>>;
    };

/** Fields of the result, or of its items: names, or paths to fields inside others. */
export interface OutputConfig {
  readonly pick?: readonly string[];
  readonly drop?: readonly string[];
  /** New names, by field. */
  readonly rename?: Readonly<Record<string, string>>;
  /** True if calls choose fields; a list has those of calls that name none. */
  readonly fields?: boolean | readonly string[];
  /** True if names are not checked against the document. */
  readonly allowUndocumented?: boolean;
}

export interface InputConfig {
  readonly name?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly fixed?: JsonValue;
  readonly env?: string;
  /** The variable of `env` is a default; the value stays an input. */
  readonly override?: true;
  readonly hide?: true;
  readonly required?: boolean;
  /** The user is asked for the value if a call lacks it. */
  readonly ask?: true;
  /** Accepts also a name, which is looked up through another tool, or a URL with the value. */
  readonly resolve?: false | ResolveConfig;
}

/** Values that an input takes in place of an ID. `via` and `match` go together. */
export interface ResolveConfig {
  /** Tool that lists the things. */
  readonly via?: string;
  /** Fields of its items with the name. */
  readonly match?: string | readonly string[];
  /** Field of its items with the value that the API takes, where no name shows it. */
  readonly id?: string;
  /** Forms of URLs, with names of inputs in braces. */
  readonly url?: string | readonly string[];
}
