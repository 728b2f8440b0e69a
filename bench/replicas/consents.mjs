// Users who sign in to the API through their clients, at an authorization server on this machine.
import path from "node:path";
import { decodeJwt } from "jose";
import { build } from "esbuild";
import { root, scratchFolder } from "../servers.mjs";
import { tools } from "./shop.mjs";

const USERS = 8;

/** The authorization server and the clients of the tests, as a module. */
export async function loadSignIn() {
  const file = path.join(scratchFolder(), "sign-in.mjs");
  const contents = 'export * from "./provider.js"; export * from "./http-clients.js";';
  const resolveDir = path.join(root, "test/runtime/auth/sign-in");
  await build({
    stdin: { contents, resolveDir, loader: "ts" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outfile: file,
    logLevel: "error",
  });
  return import(file);
}

/** Connects the clients of eight users to the server at an address. */
export async function connectUsers({ connectModern, accessToken }, issuer, url) {
  const names = Array.from({ length: USERS }, (_, i) => `user-${i}`);
  const connect = async (name) => {
    const client = await connectModern(new URL(url), await accessToken(issuer, name));
    return { name, call: () => client.callTool({ name: tools.hours, arguments: {} }) };
  };
  return Promise.all(names.map(connect));
}

/** Follows the link in the result of a call, as the user of the client. */
export async function signIn({ browse }, { name, call }) {
  const [link] = /http[^ "\\]+\?id=[^ "\\]+/.exec(JSON.stringify(await call())) ?? [];
  if (link === undefined) return false;
  const { status } = await browse(link, { login: name });
  return status === 200;
}

/** Counts the users whose calls reach the API with their own tokens, at each of so many replicas. */
export async function countSignedIn(users, { received }, replicas) {
  let count = 0;
  for (const { name, call } of users) {
    const before = received.length;
    for (let i = 0; i < replicas; i++) await call().catch(() => {});
    const subjects = received.slice(before).map((line) => decodeJwt(line.split(" ")[1]).sub);
    if (subjects.length === replicas && subjects.every((subject) => subject === name)) count++;
  }
  return `${count} of ${users.length}`;
}
