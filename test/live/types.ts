/** Subjects of calls. Every scenario has at least one call of each, except those that it `lacks`. */
export const kinds = [
  "create",
  "list",
  "find",
  "change",
  "delete",
  "page",
  "upload",
  "download",
  "wrong input",
  "wrong ID",
  "no credentials",
  "conflict",
  "server stopped",
] as const;

export type Kind = (typeof kinds)[number];

/** Fewest calls of a scenario, over its variants. */
export const fewestCalls = 25;

/** One call of a tool through an SDK client. `$name` in arguments stands for a saved value. */
export interface LiveCall {
  readonly kind: Kind | "workflow" | "other";
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** "result" unless stated: whether the answer is a result or an error. */
  readonly expect?: "result" | "error";
  /** Texts that the answer contains. */
  readonly says?: readonly string[];
  /** JSON pointers into the structured content, by the name of the saved value. */
  readonly save?: Readonly<Record<string, string>>;
  /** Environment of the called server: complete unless stated. */
  readonly credentials?: "none" | "wrong";
}

/** One generation of the project and the calls that it answers. */
export interface Variant {
  readonly name: "plain" | "configured";
  /** `mcp-gen.yaml`; absent for a project without configuration. */
  readonly configuration?: string;
  /** Arazzo document, written as `tasks.arazzo.yaml`. */
  readonly workflows?: string;
  readonly calls: readonly LiveCall[];
}

/** Process of a server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** User that the process runs as if the test runs as root. */
  readonly uid?: number;
}

/** Folders and port of one start of a server. */
export interface LaunchSite {
  /** Folder with the installed packages. */
  readonly installation: string;
  /** New folder for the data of this start. */
  readonly data: string;
  readonly port: number;
}

/** A real server: its installation, its start and its scenario. */
export interface LiveServer {
  readonly name: string;
  /** Packages of npm with exact versions. A server without packages needs no registry. */
  readonly packages?: readonly string[];
  /** Packages of Debian, which are unpacked into the folder `debian` of the installation. */
  readonly debian?: readonly string[];
  /** Changes the folder of the installation, for a server that needs a layout of its own. */
  arrange?(installation: string): Promise<void>;
  start(site: LaunchSite): Launch | Promise<Launch>;
  /** Path that is answered, with any status below 500, as soon as the server is ready. */
  readonly ready: string;
  /** Path of the OpenAPI document that the server serves. */
  readonly document: string;
  /** Headers without which the document is not served. It is then generated from as a file. */
  readonly documentHeaders?: Readonly<Record<string, string>>;
  /** Path of the API for `--base-url`, if the document does not say it. */
  readonly basePath?: string;
  /** Secrets of the generated server by environment variable. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Runs after the start, to obtain credentials for example. Its values extend `credentials`. */
  prepare?(url: string): Promise<Readonly<Record<string, string>>>;
  /** Files that tools can send, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Parts of answers that the server adds at a moment of its own. They are left out. */
  readonly volatile?: RegExp;
  /** Kinds of calls that this API does not have. */
  readonly lacks?: readonly Kind[];
  readonly variants: readonly Variant[];
}

/** A call with its answer. */
export interface CallReport {
  readonly call: LiveCall;
  readonly text: string;
  /** Contradictions of the expectation. */
  readonly failures: readonly string[];
}
