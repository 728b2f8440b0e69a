/** SDK clients that get an access token of the server, and later one with more scopes. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpLab, startHttpLab } from "./http-lab.js";
import { CLIENT_ID, consent } from "./provider.js";

let lab: HttpLab;
beforeAll(async () => {
  lab = await startHttpLab(({ issuer, url }) => ({
    CLINIC_HTTP_OAUTH_ISSUER: issuer,
    CLINIC_HTTP_PUBLIC_URL: url,
    CLINIC_HTTP_OAUTH_SCOPES: "pets:read",
    CLINIC_TOKEN: "token-of-the-server",
  }));
}, 60_000);
afterAll(() => lab.close());

/**
 * The client's side of OAuth: one user, whose browser consents to everything. It keeps no refresh
 * token, with which SDK 1 would get the same scopes again.
 */
function createUser() {
  let [tokens, verifier]: [object | undefined, string] = [undefined, ""];
  const asked: URL[] = [];
  return {
    asked,
    redirectUrl: "http://127.0.0.1/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1/callback"] },
    clientInformation: () => ({ client_id: CLIENT_ID }),
    tokens: () => tokens,
    saveTokens: (saved: object) => void (tokens = { ...saved, refresh_token: undefined }),
    redirectToAuthorization: (url: URL) => void asked.push(url),
    saveCodeVerifier: (saved: string) => void (verifier = saved),
    codeVerifier: () => verifier,
  };
}

type User = ReturnType<typeof createUser>;

/** The functions that both SDKs share. */
interface Connection {
  readonly client: {
    connect(transport: object): Promise<void>;
    listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
    callTool(params: { name: string; arguments: object }): Promise<{ readonly isError?: boolean }>;
    close(): Promise<void>;
  };
  readonly transport: { finishAuth(answer: never): Promise<void> };
}

const info = { name: "test", version: "1" };

const modern =
  (mode: "legacy" | { pin: string }) =>
  (user: User): Connection =>
    ({
      client: new ModernClient(info, { versionNegotiation: { mode } }),
      transport: new ModernHttp(lab.url, { authProvider: user as never }),
    }) as unknown as Connection;

const clients: readonly (readonly [string, (user: User) => Connection])[] = [
  [
    "SDK 1",
    (user) =>
      ({
        client: new OldClient(info),
        transport: new OldHttp(lab.url, { authProvider: user as never }),
      }) as unknown as Connection,
  ],
  ["SDK 2, 2025-11-25", modern("legacy")],
  ["SDK 2, 2026-07-28", modern({ pin: "2026-07-28" })],
];

/** Consents to what was asked for last. */
async function authorize(user: User, { transport }: Connection, isOld: boolean): Promise<void> {
  const { searchParams } = await consent(user.asked.at(-1)!.href);
  const answer = isOld ? searchParams.get("code") : searchParams;
  await transport.finishAuth(answer as never);
}

const scopesAsked = (user: User): readonly string[] | undefined =>
  user.asked.at(-1)?.searchParams.get("scope")?.split(" ").sort();

describe.each(clients)("%s", (name, open) => {
  test("lists permitted tools, is challenged, and gets more scopes", async () => {
    const isOld = name === "SDK 1";
    const user = createUser();
    const first = open(user);
    await expect(first.client.connect(first.transport)).rejects.toThrow();
    expect(scopesAsked(user)).toEqual(["pets:read"]);
    await authorize(user, first, isOld);

    const second = open(user);
    await second.client.connect(second.transport);
    const { tools } = await second.client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["find_pets", "read_result"]);
    const read = await second.client.callTool({ name: "find_pets", arguments: {} });
    expect(read.isError ?? false).toBe(false);

    const sent = lab.received.length;
    const write = { name: "add_pet", arguments: {} };
    await expect(second.client.callTool(write)).rejects.toThrow();
    expect(lab.received.length).toBe(sent);
    expect(scopesAsked(user)).toEqual(["pets:read", "pets:write"]);
    await authorize(user, second, isOld);

    const { client } = second;
    expect((await client.callTool(write)).isError ?? false).toBe(false);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
      "find_pets",
      "add_pet",
      "read_result",
    ]);
    expect(lab.received.at(-1)).toBe("POST Bearer token-of-the-server");
    await client.close();
  });
});
