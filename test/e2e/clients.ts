import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** As much of a client as the tests use, whichever SDK it comes from. */
export interface AnyClient {
  listTools(params?: { cursor?: string }): Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly outputSchema?: unknown;
      readonly _meta?: Readonly<Record<string, unknown>>;
    }[];
    readonly nextCursor?: string;
  }>;
  /** `onprogress` asks for progress: with SDK 2, that is; SDK 1 wants something else there. */
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options?: { readonly onprogress: () => void },
  ): Promise<{
    readonly isError?: boolean;
    readonly content?: unknown;
    readonly structuredContent?: unknown;
  }>;
  getServerVersion(): { readonly name: string } | undefined;
  close(): Promise<void>;
  readonly transport?: Incoming;
}

interface Incoming {
  onmessage?: (message: never, extra: never) => void;
}

/** How to reach a server: a process to start, or the address of one that runs. */
export type Target =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | URL;

const info = { name: "e2e", version: "1.0.0" };

/** Headers that go with every request over HTTP. */
type Headers = Readonly<Record<string, string>>;

async function connectOld(target: Target, headers: Headers = {}): Promise<AnyClient> {
  const client = new OldClient(info);
  await client.connect(
    target instanceof URL
      ? new OldHttp(target, { requestInit: { headers } })
      : new OldStdio({ ...target, stderr: "ignore" }),
  );
  return client as unknown as AnyClient;
}

function modern(
  mode: "legacy" | "auto" | { pin: string },
): (target: Target, headers?: Headers) => Promise<AnyClient> {
  return async (target, headers = {}) => {
    const client = new ModernClient(info, { versionNegotiation: { mode } });
    await client.connect(
      target instanceof URL
        ? new ModernHttp(target, { requestInit: { headers } })
        : new ModernStdio({ ...target, stderr: "ignore" }),
    );
    return client as unknown as AnyClient;
  };
}

/**
 * Tells of progress as it comes in, in the order of the wire. The clients themselves forget a call
 * at its result, before they tell of progress that came in the same chunk; whether it does is
 * chance. The call has to be made with `onprogress`, which asks for it.
 */
export function onProgress(
  { transport }: { readonly transport?: Incoming | undefined },
  tell: (message: string | undefined) => void,
): void {
  if (!transport) throw new Error("a client that is not connected hears nothing");
  const pass = transport.onmessage;
  transport.onmessage = (
    message: { readonly method?: string; readonly params?: { readonly message?: string } },
    extra,
  ) => {
    if (message.method === "notifications/progress") tell(message.params?.message);
    pass?.(message as never, extra);
  };
}

/** The clients of the field: SDK v1, and v2 in each era and in the mode that finds out. */
export const clients: readonly (readonly [
  string,
  (target: Target, headers?: Headers) => Promise<AnyClient>,
])[] = [
  ["SDK 1", connectOld],
  ["SDK 2, up to 2025-11-25", modern("legacy")],
  ["SDK 2, 2026-07-28", modern({ pin: "2026-07-28" })],
  ["SDK 2, finding out", modern("auto")],
];
