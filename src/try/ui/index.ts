/** A page on loopback that shows the tools of a server, and calls them (`mcp-gen serve --ui`). */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "../../json.js";
import { ServerExitedError, startServer, type StdioClient } from "../client.js";
import { type CompiledModule, prepareProject } from "../project.js";
import { pageFiles } from "./page.js";

export interface UiOptions {
  readonly title: string;
  readonly modules: readonly CompiledModule[];
  /** First words of the variables of the server and of its APIs. */
  readonly envPrefixes: readonly string[];
  /** The complete environment of the server. */
  readonly env: NodeJS.ProcessEnv;
  /** Flags of the server. */
  readonly args: readonly string[];
  /** 0: any free port. */
  readonly port: number;
}

export interface Ui {
  /** Address of the page with the token, which is valid once. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Longest request of the page, in bytes. */
const MAX_BODY = 1_000_000;

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/**
 * Serves the page on 127.0.0.1. The servers start with the first request that needs them.
 * @throws the error of the system if the port is in use
 */
export async function startUi(options: UiOptions): Promise<Ui> {
  const project = await prepareProject(options.modules);
  const servers = new Servers(project.main, options);
  const session = new Session();
  const http = createServer((request, response) => {
    void respond(request, response, { options, servers, session });
  });
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    http.close();
    await servers.close();
    project.remove();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      http.once("error", reject).listen(options.port, "127.0.0.1", resolve);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/#${session.token}`,
    close,
  };
}

interface PageContext {
  readonly options: UiOptions;
  readonly servers: Servers;
  readonly session: Session;
}

/** Answer to a request: its status, and a value or the sentence for the user. */
type Answer = readonly [status: number, value: unknown];
const refuse = (status: number, message: string): Answer => [status, { message }];

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  context: PageContext,
): Promise<void> {
  const { method = "", url = "" } = request;
  const file = method === "GET" && isOwnHost(request) ? pageFiles.get(url) : undefined;
  if (file) {
    response.writeHead(200, { ...HEADERS, "content-type": file[0] }).end(file[1]);
    return;
  }
  const [status, value] = await answer(request, context).catch((error: unknown): Answer =>
    refuse(500, error instanceof ServerExitedError ? error.message : "The call failed."),
  );
  const type = "application/json; charset=utf-8";
  response.writeHead(status, { ...HEADERS, "content-type": type }).end(JSON.stringify(value));
}

async function answer(request: IncomingMessage, context: PageContext): Promise<Answer> {
  const { options, servers, session } = context;
  if (!isOwnHost(request) || request.headers.origin !== `http://${request.headers.host}`)
    return refuse(403, "Only the page itself may send requests.");
  if (request.method !== "POST" || request.headers["content-type"] !== "application/json")
    return refuse(405, "Only POST with JSON is possible.");
  const secret = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (request.url === "/session") {
    const key = session.exchange(secret);
    return key === undefined
      ? refuse(401, "This address was used already. Start mcp-gen serve --ui again.")
      : [200, { session: key }];
  }
  if (!session.accepts(secret))
    return refuse(401, "Open the address that mcp-gen serve --ui has printed.");
  const body: unknown = JSON.parse(await readBody(request));
  if (request.url === "/tools")
    return [200, { title: options.title, tools: await (await servers.sending()).listTools() }];
  if (!isObject(body) || typeof body.tool !== "string" || !isObject(body.input))
    return refuse(400, "A tool and its input are needed.");
  if (request.url !== "/request" && request.url !== "/call") return refuse(404, "Not found.");
  const client = await (request.url === "/call" ? servers.sending() : servers.showing());
  return [200, await client.callTool(body.tool, body.input)];
}

/** A page of another site whose name leads to this address has its own name as the host. */
function isOwnHost({ headers: { host = "" }, socket }: IncomingMessage): boolean {
  return host === `127.0.0.1:${socket.localPort}`;
}

/** @throws Error if the request is too long */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw new Error("The request is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The token of the address, which is exchanged once for the key of the page. */
class Session {
  readonly token = randomBytes(24).toString("base64url");
  readonly #key = randomBytes(24).toString("base64url");
  #isUsed = false;

  /** @returns the key of the page; undefined for a wrong or used token */
  exchange(token: string): string | undefined {
    if (this.#isUsed || !isSame(token, this.token)) return undefined;
    this.#isUsed = true;
    return this.#key;
  }

  accepts(key: string): boolean {
    return this.#isUsed && isSame(key, this.#key);
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Two servers of the project: one sends requests, the other shows them. */
class Servers {
  #sending: Promise<StdioClient> | undefined;
  #showing: Promise<StdioClient> | undefined;

  constructor(
    readonly main: string,
    readonly options: UiOptions,
  ) {}

  async sending(): Promise<StdioClient> {
    // The user has seen the request of a write before it is sent.
    this.#sending ??= this.start({ APPROVALS: "off" });
    return this.#sending;
  }

  async showing(): Promise<StdioClient> {
    this.#showing ??= this.start({ DRY_RUN: "all" });
    return this.#showing;
  }

  async close(): Promise<void> {
    const started = await Promise.allSettled([this.#sending, this.#showing]);
    for (const server of started) if (server.status === "fulfilled") await server.value?.close();
  }

  /** Starts a server that lists all of its tools. */
  private async start(settings: Readonly<Record<string, string>>): Promise<StdioClient> {
    const { env, envPrefixes, args } = this.options;
    const all = Object.entries({ MODE: "tools", ...settings });
    const own = envPrefixes.flatMap((prefix) =>
      all.map(([name, value]) => [`${prefix}_${name}`, value] as const),
    );
    return startServer(this.main, { ...env, ...Object.fromEntries(own) }, args);
  }
}
