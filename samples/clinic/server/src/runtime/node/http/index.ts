import { sendByFetch } from "../../client/fetch.js";
import type { SendFunction } from "../../client/types.js";
import { agentsOf } from "./agents.js";
import { type Client, sendOver } from "./client.js";
import type { FoldedError } from "./folded.js";
import { isLeftToFetch } from "./left-to-fetch.js";
import { watchFetch } from "./own-fetch.js";
import { unusedProxy } from "./unused-proxy.js";

/**
 * A way to send that costs half of what `fetch` of Node does, and presents client certificates. On
 * the wire it is the same but for `Accept-Encoding`. What it is not for goes to `fetch`, and so
 * does everything where `fetch` is not Node's own.
 */
export function sendFromNode(isFetchTaken: () => boolean = watchFetch()): SendFunction {
  const isElsewhere = "bun" in process.versions || "deno" in process.versions;
  const clients = new Map<string, Client>();
  /** Origins that fold header lines. */
  const folding = new Set<string>();
  return async (request, how) => {
    const url = new URL(request.url);
    const { protocol, origin } = url;
    if (how.tls && protocol !== "https:")
      throw new Error("a client certificate means nothing without TLS");
    if (!how.tls && (isElsewhere || isLeftToFetch(request, url) || isFetchTaken()))
      return sendByFetch(request, how);
    const client = clients.get(protocol) ?? (await open(protocol, clients));
    try {
      if (!folding.has(origin)) return await sendOver(client, request, url, how);
    } catch (error) {
      if (!isOfFoldedLines(error))
        throw how.deadline.sent || isFetchTaken()
          ? error
          : Object.assign(error as Error, { unusedProxy: unusedProxy(error, url, process.env) });
      folding.add(origin);
      if (!how.isRepeatable) return (await import("./folded.js")).reread(error, request, how);
    }
    return (await import("./folded.js")).sendLeniently(client, request, url, how);
  };
}

/** Node's modules are loaded for the first request: TLS by the first that needs it. */
async function open(protocol: string, clients: Map<string, Client>): Promise<Client> {
  const { default: module } =
    protocol === "https:" ? await import("node:https") : await import("node:http");
  const opened = clients.get(protocol) ?? { module, agents: agentsOf(module) };
  clients.set(protocol, opened);
  return opened;
}

/** Where the head begins or ends in another packet, what is here of it tells. */
function isOfFoldedLines(error: unknown): error is FoldedError {
  const { code, rawPacket } = error as { readonly code?: unknown; readonly rawPacket?: Buffer };
  if (code !== "HPE_INVALID_HEADER_TOKEN" || !rawPacket) return false;
  const end = rawPacket.indexOf("\r\n\r\n");
  return /(?:^|\r\n)[\t ]/.test(rawPacket.toString("latin1", 0, end < 0 ? rawPacket.length : end));
}
