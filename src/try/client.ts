import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isObject } from "../json.js";

/** A minimal MCP client over stdio: lists tools and calls them. */
export interface StdioClient {
  /** Instructions of the server; empty if it has none. */
  readonly instructions: string;
  readonly listTools: () => Promise<readonly ListedTool[]>;
  readonly callTool: (
    name: string,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<ToolResult>;
  readonly close: () => Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** Result of a call. A protocol error, such as an unknown tool, is an error with its message. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured?: unknown;
}

/** The server failed to start or exited. The message is a sentence for users. */
export class ServerExitedError extends Error {
  override readonly name = "ServerExitedError";
}

/** The server responded to a request with a protocol error. */
class ProtocolError extends ServerExitedError {}

const PROTOCOL = "2025-11-25";
/** Maximum characters of stderr that are kept for the error message. */
const MAX_STDERR = 4000;

/**
 * Starts a server as a host does, and initializes the session.
 * @param main path of the program
 * @param env the complete environment
 * @param args flags of the server
 * @throws ServerExitedError when it exits before it responds
 */
export async function startServer(
  main: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<StdioClient> {
  const wire = new JsonRpcConnection(
    spawn(process.execPath, [main, ...args], { env: { ...env }, stdio: ["pipe", "pipe", "pipe"] }),
  );
  const { instructions } = await wire.request("initialize", {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: "mcp-gen", version: "1" },
  });
  wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    instructions: typeof instructions === "string" ? instructions : "",
    listTools: async () => await listAll(wire),
    callTool: (name, input) => call(wire, name, input),
    close: () => wire.close(),
  };
}

async function call(
  wire: JsonRpcConnection,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  try {
    return toResult(await wire.request("tools/call", { name, arguments: input }));
  } catch (error) {
    if (error instanceof ProtocolError) return { isError: true, text: error.message };
    throw error;
  }
}

async function listAll(wire: JsonRpcConnection): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: unknown;
  do {
    const page = await wire.request("tools/list", cursor === undefined ? {} : { cursor });
    for (const tool of Array.isArray(page.tools) ? (page.tools as readonly unknown[]) : []) {
      if (isObject(tool))
        tools.push({
          name: String(tool.name),
          description: String(tool.description),
          inputSchema: isObject(tool.inputSchema) ? tool.inputSchema : {},
          annotations: isObject(tool.annotations) ? tool.annotations : {},
        });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

function toResult(result: Readonly<Record<string, unknown>>): ToolResult {
  const blocks = Array.isArray(result.content) ? (result.content as readonly unknown[]) : [];
  const text = blocks
    .map((block) =>
      isObject(block) && block.type === "text"
        ? String(block.text)
        : `[${isObject(block) ? String(block.type) : "nothing"}]`,
    )
    .join("\n");
  return {
    isError: result.isError === true,
    text,
    ...(result.structuredContent !== undefined && { structured: result.structuredContent }),
  };
}

interface PendingRequest {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

/** A connection of JSON-RPC 2.0 with one message per line. */
class JsonRpcConnection {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #exit: Promise<void>;
  #stderr = "";
  #lastId = 0;
  #hasExited = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr
      ?.setEncoding("utf8")
      .on("data", (text: string) => (this.#stderr = (this.#stderr + text).slice(-MAX_STDERR)));
    if (child.stdout)
      createInterface({ input: child.stdout }).on("line", (line) => this.#receive(line));
    child.stdin?.on("error", () => undefined);
    this.#exit = new Promise((resolve) => child.once("close", resolve).once("error", resolve)).then(
      () => this.#rejectPending(),
    );
  }

  send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async request(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    if (this.#hasExited) throw this.#exitError();
    const id = ++this.#lastId;
    return await new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    this.#child.kill();
    await this.#exit;
  }

  #receive(line: string): void {
    const message: unknown = parse(line);
    if (!isObject(message) || typeof message.id !== "number") return;
    const request = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (isObject(message.result)) return request?.resolve(message.result);
    const problem = isObject(message.error)
      ? String(message.error.message)
      : "the message is not readable";
    request?.reject(new ProtocolError(`The server responded with an error: ${problem}`));
  }

  #rejectPending(): void {
    this.#hasExited = true;
    for (const { reject } of this.#pending.values()) reject(this.#exitError());
    this.#pending.clear();
  }

  #exitError(): ServerExitedError {
    const lines = this.#stderr.split("\n").filter((line) => line.trim() !== "");
    const reason = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
    return new ServerExitedError(
      `The server exited before it responded${reason === undefined ? "" : `: ${reason.trim()}`}`,
    );
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
