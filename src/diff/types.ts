import type { JsonSchema } from "../json.js";

/**
 * Effect of a change on users of a tool.
 * - `breaking`: calls may fail, results may differ from the former schema, or a call may have
 * another effect.
 * - `additive`: everything that worked still works.
 * - `cosmetic`: only text changed, or operations without a tool.
 */
export type ChangeClass = "breaking" | "additive" | "cosmetic";

/** All classes, the most severe first. */
export const changeClasses: readonly ChangeClass[] = ["breaking", "additive", "cosmetic"];

/** Machine-readable kind of a change. Kinds are only ever added. */
export type ChangeKind =
  | "tool-added"
  | "tool-removed"
  | "tool-renamed"
  /** `tools/list` has the tools instead of the discovery tools, or the reverse. */
  | "list-mode"
  | "operations"
  /** New operations that no rule selects. */
  | "operations-unselected"
  /** The URL that requests go to, or another host that receives credentials. */
  | "server"
  /** A security scheme, or another variable that is sent. */
  | "credential"
  /** An endpoint that receives or issues credentials. */
  | "endpoint"
  | "scope"
  /** Credentials that a call needs. */
  | "security"
  | "annotation"
  /** A tool that clients no longer see and call, or do again. */
  | "hidden"
  /** A tool asks the user before it sends its requests, or does not any more. */
  | "approval"
  | "title"
  | "description"
  /** A property of an input or output. */
  | "field-added"
  | "field-removed"
  | "field-required"
  | "field-optional"
  /** Valid values: type, enum, range, length, pattern, format and all other constraints. */
  | "values"
  | "default"
  | "text";

export interface Change {
  readonly class: ChangeClass;
  readonly kind: ChangeKind;
  /**
   * The tool's name, the new one after renaming; `tools/list` for the list as a whole, `the API` or
   * `the API <name>` for an API as a whole.
   */
  readonly tool: string;
  /** APIs that the tool calls, in a server of several. */
  readonly apis?: readonly string[];
  /**
   * `input.status`, `output.items[].name`, `annotations.readOnlyHint`. Absent for the tool as a
   * whole.
   */
  readonly where?: string;
  /**
   * Name of the shared schema of both locks that changed. The change reaches every tool that
   * contains the schema.
   */
  readonly schema?: string;
  /** Path in the shared schema: `email`; empty for the schema itself. */
  readonly schemaPath?: string;
  /**
   * A sentence about the tool, without its name. Document text is in inline code, which is also
   * inert in Markdown.
   */
  readonly message: string;
  /** The old and the new value, if any. */
  readonly was?: unknown;
  readonly now?: unknown;
}

/** A tool's entry in a lock. */
export interface LockedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly operations: readonly string[];
  /** True for a tool of the project's own code. */
  readonly custom?: true;
  /** Fields of a custom tool that only the running server knows. */
  readonly computed?: readonly string[];
  /** True for a tool that asks the user before it sends, with `name` for one where the user types. */
  readonly approve?: true | "name";
  /** True for a tool that only other tools call. */
  readonly hidden?: true;
  /** Requests that differ from those of their API. */
  readonly requests?: readonly LockedRequest[];
}

/** Alternative sets of security schemes, with their scopes. OpenAPI, Security Requirement Object. */
export type SecurityRequirements = readonly Readonly<Record<string, readonly string[]>>[];

/** A request that goes to a server of its own or to another API, or needs other credentials. */
export interface LockedRequest {
  readonly operation: string;
  /** Absent for the document's API. */
  readonly api?: string;
  readonly server?: string;
  readonly security?: SecurityRequirements;
}

/** Where the requests and credentials of an API go. */
export interface LockedApi {
  /** Base URL, with the environment variables of its parts. Absent: users set it. */
  readonly server?: string;
  /** Variables in URLs of servers, by environment variable. */
  readonly variables?: Readonly<Record<string, LockedVariable>>;
  /** Further origins that receive credentials. */
  readonly hosts?: readonly string[];
  /** Headers of every request, with the environment variables that set them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Places such as `query key`, by the environment variable that is sent there. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  readonly securitySchemes?: Readonly<Record<string, LockedScheme>>;
  /** Credentials that requests without their own requirement need. */
  readonly security?: SecurityRequirements;
}

export interface LockedVariable {
  readonly default: string;
  readonly enum?: readonly string[];
}

/** A security scheme, with the environment variables of its credentials. */
export interface LockedScheme {
  readonly kind: string;
  /** Place of an API key. */
  readonly in?: string;
  readonly name?: string;
  /** HTTP authentication scheme. */
  readonly scheme?: string;
  readonly tokenUrl?: string;
  readonly discoveryUrl?: string;
  readonly signIn?: Readonly<Record<string, string>>;
  readonly scopes?: readonly string[];
  readonly variables: readonly string[];
}

/** Content of `tools/list`: every tool, or the discovery tools, alone or with some of the others. */
export type ListMode = "tools" | "hybrid" | "discovery";

export interface Lock {
  /** Operations that no rule selects. Absent if the configuration selects all others. */
  readonly unselected?: readonly string[];
  /** True for the list of a running server, which does not show operations. */
  readonly isToolList?: true;
  /** Absent in locks of earlier versions. */
  readonly listMode?: ListMode;
  readonly tools: readonly LockedTool[];
  /** True for the tools of a document without a project, whose code may define others. */
  readonly isWithoutProject?: true;
  /** Absent in locks of earlier layouts and in lists of running servers. */
  readonly api?: LockedApi;
  /** Other APIs that workflows call, by name. */
  readonly otherApis?: Readonly<Record<string, LockedApi>>;
  /** Names of the shared schemas that tools contain, by object. Absent when none are shared. */
  readonly schemaNames?: ReadonlyMap<object, string>;
}
