import { sendByFetch } from "../../send/by-fetch.js";
import type { Send } from "../../send/incoming.js";
import { agentsOf } from "./agents.js";
import { type Client, sendOver } from "./client.js";
import { isLeftToFetch } from "./left-to-fetch.js";
import { watchFetch } from "./own-fetch.js";

/**
 * A way to send that costs half of what `fetch` of Node does, and presents client certificates. On the wire it is the same but for
 * `Accept-Encoding`. What it is not for goes to `fetch`, and so does everything where `fetch` is not Node's own.
 */
export function sendFromNode(isFetchTaken: () => boolean = watchFetch()): Send {
  const isElsewhere = "bun" in process.versions || "deno" in process.versions;
  const clients = new Map<string, Client>();
  /** Origins that only `fetch` understands. */
  const lax = new Set<string>();
  return async (request, how) => {
    const url = new URL(request.url);
    const { protocol, origin } = url;
    if (how.tls && protocol !== "https:") throw new Error("a client certificate means nothing without TLS");
    if (!how.tls && (isElsewhere || isLeftToFetch(request, url) || lax.has(origin) || isFetchTaken())) return sendByFetch(request, how);
    try {
      return await sendOver(clients.get(protocol) ?? (await open(protocol, clients)), request, url, how);
    } catch (error) {
      if (how.tls || !isOfHeaderLines(error)) throw error;
      lax.add(origin);
      if (!how.repeatable) throw error;
      return sendByFetch(request, how);
    }
  };
}

/** Node's modules are loaded for the first request: TLS by the first that needs it. */
async function open(protocol: string, clients: Map<string, Client>): Promise<Client> {
  const { default: module } = protocol === "https:" ? await import("node:https") : await import("node:http");
  const opened = clients.get(protocol) ?? { module, agents: agentsOf(module) };
  clients.set(protocol, opened);
  return opened;
}

/** Lines that `fetch` takes and node:http does not: folded ones, which RFC 9112 (section 5.2) wants to be understood, or with a space in the name. */
function isOfHeaderLines(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "HPE_INVALID_HEADER_TOKEN";
}
