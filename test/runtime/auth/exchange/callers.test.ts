/** Two callers of one server: each calls the API as itself. */
import type { RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnyClient, clients } from "../../../e2e/clients.js";
import { type HttpLab, startHttpLab } from "../sign-in/http-lab.js";
import { API_AUDIENCE, EXCHANGE_GRANT, EXCHANGER } from "../sign-in/token-exchange.js";
import { accessTokenOf } from "./access-token.js";

const CALLS = 1000;
const CONCURRENT = 25;
const LARGE_PAGE = 5000;

let lab: HttpLab;
const tokens = new Map<string, string>();
let requests = 0;

/** More than a result may have, on one page. */
const large = (page: number) =>
  page === LARGE_PAGE && { notes: Array.from({ length: 400 }, (_, i) => `note ${i} of a pet`) };

/** The API: it answers whose token arrived, and now and then that the token is no longer valid. */
const answer: RequestListener = async (request, response) => {
  const count = (requests += 1);
  const [, token = ""] = /^Bearer (.*)$/.exec(request.headers.authorization ?? "") ?? [];
  const verified = await lab.provider.verify(token);
  const page = Number(new URL(request.url ?? "", "http://api").searchParams.get("page"));
  response.setHeader("content-type", "application/json");
  if (count % 100 === 0 || verified?.audience !== API_AUDIENCE) {
    response.statusCode = 401;
    response.setHeader("www-authenticate", 'Bearer error="invalid_token"');
    response.end(JSON.stringify({ message: `no token for this API: ${token}` }));
  } else response.end(JSON.stringify({ user: verified.user, page, token, ...large(page) }));
};

beforeAll(async () => {
  lab = await startHttpLab(
    ({ issuer, url }) => ({
      CLINIC_HTTP_OAUTH_ISSUER: issuer,
      CLINIC_HTTP_PUBLIC_URL: url,
      CLINIC_TOKEN_EXCHANGE: API_AUDIENCE,
      CLINIC_TOKEN_EXCHANGE_CLIENT_ID: EXCHANGER.id,
      CLINIC_TOKEN_EXCHANGE_CLIENT_SECRET: EXCHANGER.secret,
      CLINIC_TOKEN: "token-of-the-server",
      CLINIC_MAX_RESULT_TOKENS: "1000",
      LOG_LEVEL: "debug",
    }),
    { answer, exchangedTokens: 4 },
  );
  for (const user of ["ann", "bob"])
    tokens.set(user, await accessTokenOf(lab.provider, user, lab.url.href));
});
afterAll(() => lab.close());

type CallResult = Awaited<ReturnType<AnyClient["callTool"]>>;

/** Connects a client of a user, of a kind that `clients` lists. */
function connect(user: string, kind: number): Promise<AnyClient> {
  const headers = { authorization: `Bearer ${tokens.get(user)}` };
  return clients[kind]![1](lab.url, headers);
}

const textOf = ({ content }: CallResult): string => JSON.stringify(content);

test("1,000 interleaved calls of two users through clients of both eras, and never a mix", async () => {
  const kinds = [...tokens.keys()].flatMap((user) =>
    clients.map((_, kind) => [user, kind] as const),
  );
  const connections = await Promise.all(
    kinds.map(async ([user, kind]) => [user, await connect(user, kind)] as const),
  );
  const results: { readonly user: string; readonly page: number; readonly text: string }[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let page = next++; page < CALLS; page = next++) {
      const [user, client] = connections[page % connections.length]!;
      const result = await client.callTool({ name: "find_pets", arguments: { page } });
      results.push({ user, page, text: textOf(result) });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  const wrong = results.filter(
    ({ user, page, text }) =>
      !text.includes(`\\"user\\":\\"${user}\\"`) || !text.includes(`\\"page\\":${page},`),
  );
  expect(wrong).toEqual([]);
  expect(results).toHaveLength(CALLS);
  // Tokens expire within the run, and the API rejects one request in a hundred.
  expect(lab.provider.grants(EXCHANGE_GRANT)).toBeGreaterThan(CALLS / 100);
  expect(lab.provider.grants(EXCHANGE_GRANT)).toBeLessThan(CALLS / 2);
  await Promise.all(connections.map(([, client]) => client.close()));
});

test("the API gets neither the tokens of callers nor that of the server", () => {
  const sent = new Set(lab.received.map((line) => line.replace(/^\w+ Bearer /, "")));
  expect(sent.size).toBeGreaterThan(2);
  for (const token of [...tokens.values(), "token-of-the-server", ""])
    expect(sent.has(token)).toBe(false);
});

test("tokens are redacted in results, and absent in the log", async () => {
  const client = await connect("ann", 0);
  const result = await client.callTool({ name: "find_pets", arguments: { page: 7 } });
  expect(textOf(result)).toContain("[redacted]");
  const secrets = [...tokens.values(), ...lab.received.map((line) => line.split(" ")[2] ?? "")];
  for (const secret of [...new Set(secrets), EXCHANGER.secret]) {
    expect(textOf(result)).not.toContain(secret);
    expect(lab.log()).not.toContain(secret);
  }
});

test("a kept result belongs to the caller who got it", async () => {
  const [ann, bob] = await Promise.all([...tokens.keys()].map((user) => connect(user, 0)));
  const { content } = await ann!.callTool({ name: "find_pets", arguments: { page: LARGE_PAGE } });
  const link = (content as readonly { readonly type: string; readonly uri?: string }[]).find(
    ({ type }) => type === "resource_link",
  );
  const [stored] = link?.uri?.split("?") ?? [];
  const read = (client: unknown) =>
    (client as { readResource(params: { uri: string | undefined }): Promise<object> }).readResource(
      { uri: stored },
    );
  expect(JSON.stringify(await read(ann))).toContain("note 399");
  await expect(read(bob)).rejects.toThrow("Resource not found");
});

describe("tokens that are not for this server", () => {
  test.each<readonly [string, () => Promise<string>]>([
    [
      "for another resource",
      () => accessTokenOf(lab.provider, "ann", "https://other.example.com/"),
    ],
    ["for the API itself", () => accessTokenOf(lab.provider, "ann", API_AUDIENCE)],
    ["changed", async () => `${tokens.get("ann")}x`],
  ])("%s: 401, and nothing is exchanged", async (_, tokenFor) => {
    const before = lab.provider.grants(EXCHANGE_GRANT);
    const response = await fetch(lab.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await tokenFor()}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("resource_metadata=");
    expect(lab.provider.grants(EXCHANGE_GRANT)).toBe(before);
  });
});

describe("the authorization server", () => {
  test.each([
    ["down", /no response came from the token endpoint at .*Try again in a minute/],
    ["silent", /no response came from the token endpoint at .*Try again in a minute/],
  ] as const)("%s: calls say so, and go on once it is back", async (health, message) => {
    const client = await connect("bob", 2);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    lab.provider.setHealth(health);
    const options = { name: "find_pets", arguments: { page: 1 } };
    const failed = await client.callTool(options);
    lab.provider.setHealth("up");
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toMatch(message);
    expect(textOf(await client.callTool(options))).toContain("user");
  });
});
