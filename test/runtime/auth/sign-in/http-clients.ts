/** SDK clients of both eras over HTTP, with an access token of the server. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { browse, CLIENT_ID } from "./provider.js";

/** The functions that both SDKs share. */
export interface ToolClient {
  callTool(params: { name: string; arguments: object }): Promise<{
    readonly isError?: boolean;
    readonly content?: unknown;
  }>;
  close(): Promise<void>;
}

/** Opens an address for the user of a client. */
type OpenUrl = (url: string) => Promise<"accept" | "decline">;

const info = { name: "test", version: "1" };
const urlCapability = { capabilities: { elicitation: { url: {} } } };

/** Connects a client of 2025-11-25. It gets addresses in the error -32042. */
export async function connectOld(url: URL, token: string, hasUrls = true): Promise<ToolClient> {
  const client = new OldClient(info, hasUrls ? urlCapability : {});
  await client.connect(new OldHttp(url, { requestInit: { headers: bearer(token) } }));
  return client as unknown as ToolClient;
}

/** Connects a client of 2026-07-28. Without `open`, it has no elicitation. */
export async function connectModern(url: URL, token: string, open?: OpenUrl): Promise<ToolClient> {
  const client = new ModernClient(info, {
    ...(open && urlCapability),
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  if (open)
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: await open((params as { readonly url: string }).url),
    }));
  await client.connect(new ModernHttp(url, { requestInit: { headers: bearer(token) } }));
  return client as unknown as ToolClient;
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** Gets an access token of the server for a user, as its client does. */
export async function accessToken(issuer: string, login: string): Promise<string> {
  const redirect = "http://127.0.0.1/callback";
  const verifier = "v".repeat(43);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT_ID,
    redirect_uri: redirect,
    scope: "openid pets:read pets:write",
    code_challenge: Buffer.from(digest).toString("base64url"),
    code_challenge_method: "S256",
  });
  const { url } = await browse(`${issuer}/auth?${query}`, { login, stopAt: "/callback" });
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: CLIENT_ID,
      code: url.searchParams.get("code") ?? "",
      redirect_uri: redirect,
      code_verifier: verifier,
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
