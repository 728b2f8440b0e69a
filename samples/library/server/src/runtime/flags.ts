import { parseArgs } from "node:util";

/** What the command line asks for. */
export type Command =
  | { readonly kind: "stdio"; readonly baseUrl?: string }
  | { readonly kind: "http"; readonly host: string; readonly port: number; readonly allowUnauthenticated: boolean; readonly baseUrl?: string }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  /** One sentence. */
  | { readonly kind: "wrong"; readonly problem: string };

const options = {
  http: { type: "boolean" },
  host: { type: "string" },
  port: { type: "string" },
  "base-url": { type: "string" },
  "allow-unauthenticated": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** Reads the command line. */
export function parseFlags(argv: readonly string[]): Command {
  const flags = parsed(argv);
  if (typeof flags === "string") return wrong(flags);
  if (flags.help) return { kind: "help" };
  if (flags.version) return { kind: "version" };
  const baseUrl = flags["base-url"];
  if (!flags.http) {
    const alone = (["host", "port", "allow-unauthenticated"] as const).find((name) => flags[name] !== undefined);
    return alone ? wrong(`--${alone} needs --http`) : { kind: "stdio", baseUrl };
  }
  const port = Number(flags.port ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return wrong("--port must be a number from 0 to 65535");
  return { kind: "http", host: flags.host ?? "127.0.0.1", port, allowUnauthenticated: flags["allow-unauthenticated"] ?? false, baseUrl };
}

function wrong(problem: string): Command {
  return { kind: "wrong", problem: `${problem}; see --help.` };
}

type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

function parsed(argv: readonly string[]): Flags | string {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values;
  } catch (error) {
    // Its message names the argument: "Unknown option '--x'. To specify a positional argument …"
    return error instanceof Error ? error.message.split(". ")[0]! : "The command line cannot be read";
  }
}

/** The text of `--help`. */
export function helpText(name: string, prefix: string): string {
  return `${name}: an MCP server

  (no flags)               serve one client over stdin and stdout
  --http                   serve clients over Streamable HTTP at /mcp
  --port NUMBER            port for --http (3000)
  --host ADDRESS           address for --http (127.0.0.1)
  --allow-unauthenticated  let --http serve other machines without authentication
  --base-url URL           address of the API, instead of ${prefix}_BASE_URL
  --version, --help

Environment
  ${prefix}_TIMEOUT_MS          deadline of a call (30000)
  ${prefix}_MAX_CONCURRENCY     requests to the API at a time (16)
  ${prefix}_MAX_QUEUE           calls that may wait for their turn (10000)
  ${prefix}_CALLS_PER_MINUTE    calls per minute (0: no limit)
  ${prefix}_MAX_RESPONSE_BYTES  largest response of the API (10000000)
  ${prefix}_MAX_RESULT_TOKENS   largest result for the model (8000)
  ${prefix}_KEPT_RESULT_BYTES   memory for results too large to be shown, read as resources (50000000; 0: none)
  LOG_LEVEL                    debug, info, warn, error, silent (info)

Environment of --http (lists are separated by commas)
  ${prefix}_HTTP_TOKEN             bearer tokens, of which clients must send one
  ${prefix}_HTTP_OAUTH_ISSUER      authorization server whose access tokens (JWT) are taken
  ${prefix}_HTTP_PUBLIC_URL        address under which clients know this server; needed with the issuer
  ${prefix}_HTTP_OAUTH_AUDIENCE    audience of the tokens (the public URL)
  ${prefix}_HTTP_OAUTH_SCOPES      scopes that a token must have
  ${prefix}_HTTP_OAUTH_JWKS_URL    keys of the issuer (found through its metadata)
  ${prefix}_HTTP_OAUTH_ALGORITHMS  signatures that are taken (the asymmetric ones)
  ${prefix}_ALLOWED_HOSTS          more host names that clients may use
  ${prefix}_ALLOWED_ORIGINS        more host names of pages that may call
  ${prefix}_FORWARD_HEADERS        headers of clients to pass on to the API: X-Api-Key, X-User-Token=Authorization

The credentials of the API are described in README.md and .env.example.
`;
}
