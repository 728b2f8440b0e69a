import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** The client functions that the tests use, independent of the SDK version. */
export interface AnyClient {
  listTools(params?: { cursor?: string }): Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly outputSchema?: unknown;
      readonly _meta?: Readonly<Record<string, unknown>>;
    }[];
    readonly nextCursor?: string;
  }>;
  /** `onprogress` requests progress with SDK 2; SDK 1 uses another option. */
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

/** A process to start, or the address of a running server. */
export type Target =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | URL;

const info = { name: "e2e", version: "1.0.0" };

/** Headers of every request over HTTP. */
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
 * Reports progress notifications in the order of arrival. The SDK clients drop progress that
 * arrives in the same chunk as the result. The call must be made with `onprogress`, which requests
 * it.
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

/** Supported clients: SDK v1, and v2 in each protocol era and with negotiation. */
export const clients: readonly (readonly [
  string,
  (target: Target, headers?: Headers) => Promise<AnyClient>,
])[] = [
  ["SDK 1", connectOld],
  ["SDK 2, up to 2025-11-25", modern("legacy")],
  ["SDK 2, 2026-07-28", modern({ pin: "2026-07-28" })],
  ["SDK 2, finding out", modern("auto")],
];
