/** Consents of callers of a server of three processes, which requests reach in turn. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { accessToken, connectModern, connectOld, type ToolClient } from "./http-clients.js";
import { type HttpLab, startHttpLab } from "./http-lab.js";
import { browse, CLIENT_ID } from "./provider.js";

let lab: HttpLab;

const env = ({ issuer, url }: { readonly issuer: string; readonly url: string }) => ({
  CLINIC_HTTP_OAUTH_ISSUER: issuer,
  CLINIC_HTTP_PUBLIC_URL: url,
  CLINIC_HTTP_SIGN_IN_CLIENT_ID: CLIENT_ID,
  CLINIC_CLIENT_ID: CLIENT_ID,
});

beforeAll(async () => void (lab = await startHttpLab(env, { processes: 3 })), 60_000);
afterAll(() => lab.close());

const find = { name: "find_pets", arguments: {} };

async function connect(user: string, { url, provider } = lab): Promise<ToolClient> {
  return connectModern(url, await accessToken(provider.issuer, user));
}

/** The link in the text of an error result. */
async function linkOf(client: ToolClient): Promise<string> {
  const { isError, content } = await client.callTool(find);
  const [, link = ""] =
    /browser: (\S+) \(valid for 10 minutes\)/.exec(JSON.stringify(content)) ?? [];
  expect(isError, JSON.stringify(content)).toBe(true);
  return link;
}

/** Calls as often as there are processes. Returns the users whose tokens the API received. */
async function usersOf(client: ToolClient): Promise<readonly unknown[]> {
  const before = lab.received.length;
  for (const _ of lab.children) {
    const result = await client.callTool(find);
    expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
  }
  return lab.received.slice(before).map((line) => decodeJwt(line.split(" ")[2] ?? "").sub);
}

test("a consent that one process asked for is given to others, and holds for all", async () => {
  const [ann, ben] = [await connect("ann"), await connect("ben")];
  const page = await browse(await linkOf(ann), { login: "ann" });
  expect(page.status, page.text).toBe(200);
  expect(await usersOf(ann)).toEqual(["ann", "ann", "ann"]);
  await linkOf(ben);
});

test("each process knows that a client of 2025-11-25 opens links", async () => {
  const client = await connectOld(lab.url, await accessToken(lab.provider.issuer, "eve"));
  for (const _ of lab.children)
    expect(await client.callTool(find).catch((error: unknown) => error)).toMatchObject({
      code: -32042,
    });
  await client.close();
});

test("a process that ends signs nobody out", async () => {
  const ann = await connect("ann");
  lab.children[0]!.kill("SIGKILL");
  expect(await usersOf(ann)).toEqual(["ann", "ann", "ann"]);
});

test("a link serves one user, once", async () => {
  const cleo = await connect("cleo");
  const link = await linkOf(cleo);
  expect((await browse(link, { login: "dan" })).status).toBe(403);
  const second = await linkOf(cleo);
  expect((await browse(second, { login: "cleo" })).status).toBe(200);
  expect((await browse(second, { login: "cleo" })).status).toBe(400);
});

test("without a store, processes with a secret go on with the consents of others", async () => {
  const STORE = { CLINIC_STORE: "", CLINIC_STORE_KEY: "a secret of both processes, long enough" };
  const two = await startHttpLab((addresses) => ({ ...env(addresses), ...STORE }), {
    processes: 2,
  });
  onTestFinished(() => two.close());
  const ann = await connect("ann", two);
  const link = await linkOf(ann);
  expect((await browse(link, { login: "mallory" })).status).toBe(403);
  const cookies = new Map<string, string>();
  const { url } = await browse(await linkOf(ann), {
    login: "ann",
    stopAt: "/oauth/callback",
    cookies,
  });
  const open = async (cookie: string) => (await fetch(url, { headers: { cookie } })).status;
  const own = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  // Each process refuses the state without the cookie, and the code is good once for both.
  const answers = [await open(own), await open(own), await open(own)];
  expect(answers).toEqual([200, 400, 400]);
  const results = [await ann.callTool(find), await ann.callTool(find)];
  expect(results.filter(({ isError }) => !isError)).toHaveLength(1);
});
