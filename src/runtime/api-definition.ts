/** The API of a server: its servers, its security schemes and its defaults. */
import type { SecuritySchemeDefinition } from "./security-schemes.js";

/** Schemes that are required together, with their scopes. `{}` is anonymous access. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Tools that need approval: the destructive ones, all that write, or those of a list. */
export type ApprovalScope = "destructive" | "writes" | readonly string[];

/** The API of a server, without its tools. See `defineApi`. */
export interface ApiDefinition {
  /** MCP server name: `clinic`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** MCP `instructions`: a text for the model about the server. */
  readonly instructions?: string;
  /** Text of the documentation about the whole API, where the instructions have only a part of it. */
  readonly documentation?: readonly DocumentationSection[];
  /** Prefix of every environment variable, without the underscore: `CLINIC`. */
  readonly envPrefix: string;
  /** The first is used unless `<PREFIX>_BASE_URL` is set. Empty: the base URL must be set. */
  readonly servers: readonly ServerDefinition[];
  /** Origins that receive credentials in addition to that of the base URL. */
  readonly hosts?: readonly string[];
  /** Base path of the document, where it names no host: `/api/v1`. The base URL must end in it. */
  readonly basePath?: string;
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** Variables with secrets that are sent as parameters: keys that no scheme declares. */
  readonly secretParameters?: readonly string[];
  /** Credentials that the configuration fixes in requests. They are redacted. */
  readonly secretConstants?: readonly string[];
  /** Headers of every request, by name. */
  readonly headers?: Readonly<Record<string, HeaderSource>>;
  /** Default requirements of the API. Absent or `[]`: none. */
  readonly security?: readonly SecurityRequirement[];
  /** Meanings of error codes of any operation, as the documentation states them. */
  readonly errorCodes?: Readonly<Record<string, string>>;
  /** Meanings of response statuses that many operations share; they refer to it with `true`. */
  readonly statuses?: Readonly<Record<string, string>>;
  /** First word of every tool's name. */
  readonly namespace?: string;
  /**
   * Budget of `tools/list`. Present when the tools exceed it: then the server lists tools that
   * find, describe and call them, in the mode `hybrid` together with those of `listed`.
   */
  readonly listBudget?: {
    readonly tools: number;
    readonly tokens: number;
    readonly mode: "hybrid" | "discovery";
  };
  /** Names of the tools that are always listed, and that hosts which defer tools should not defer. */
  readonly listed?: readonly string[];
  /** Tools whose writes the user must approve, where it is configured; see `ToolDefinition.approve`. */
  readonly approve?: ApprovalScope;
  /** Default of `<PREFIX>_RAW_REQUESTS`, where it is configured. */
  readonly rawRequests?: boolean;
  /** Default of `<PREFIX>_RUN_STEPS`; `byMode` where it is not configured. */
  readonly runSteps?: true | "reads" | "byMode";
  /** Default of `<PREFIX>_READ_BACK`, where it is configured. */
  readonly readBack?: boolean;
  /** Default of `<PREFIX>_FOLLOW_PAGES`, where it is configured. */
  readonly followPages?: boolean;
  /** Default of `<PREFIX>_STRICT_INPUTS`, where it is configured. */
  readonly strictInputs?: boolean;
  /** Maximum number of tokens of a result, where it is configured. */
  readonly maxResultTokens?: number;
  /** APIs of a server of several, by name. The server itself then has no address of its own. */
  readonly apis?: Readonly<Record<string, ApiDefinition>>;
  /** Command that signs a user in; see `loginCommandOf`. */
  readonly loginCommand?: string;
}

/** A part of the documentation, in Markdown. */
export interface DocumentationSection {
  readonly heading: string;
  readonly text: string;
}

/** The command that signs a user in, as texts name it. `<PREFIX>_LOGIN_COMMAND` sets another. */
export function loginCommandOf({ loginCommand }: Pick<ApiDefinition, "loginCommand">): string {
  return `\`${loginCommand ?? "node dist/server.js login"}\``;
}

/** Value of a header: a constant, a credential that is a constant, or a variable that holds it. */
export type HeaderSource =
  | string
  | { readonly value: string; readonly isSecret: true }
  | { readonly env: string };

/** A server of the API. OpenAPI 3.1.1, Server Object. */
export interface ServerDefinition {
  readonly url: string;
  /** Variables of the URL template: environment variable, default and allowed values. */
  readonly variables?: Readonly<
    Record<
      string,
      { readonly env: string; readonly default: string; readonly enum?: readonly string[] }
    >
  >;
}
