/** Sign-ins of the user of this machine that a call has started. */
import { createHash } from "node:crypto";
import type { SignInLink, SignInRequest } from "../../client/platform.js";
import { findAuthorizationServer } from "./authorization-server.js";
import { startSignIn } from "./login.js";
import { sessionPath } from "./store.js";

interface RunningSignIn {
  readonly request: SignInLink;
  readonly settled: Promise<void>;
}

/** Sign-ins that wait for the user, by the path of their session. */
const running = new Map<string, Promise<RunningSignIn>>();

/** Starts a sign-in, or returns the one that waits already. */
export async function requestSignIn(
  request: SignInRequest,
  scopes: readonly string[],
): Promise<SignInLink> {
  const path = sessionPath(request);
  const started = running.get(path) ?? start(path, request, scopes);
  running.set(path, started);
  return (await started).request;
}

async function start(
  path: string,
  request: SignInRequest,
  scopes: readonly string[],
): Promise<RunningSignIn> {
  try {
    const trusted = await findAuthorizationServer(request);
    const { url, session } = await startSignIn(request, trusted, scopes);
    const settled = session.then(
      () => void running.delete(path),
      () => void running.delete(path),
    );
    const id = createHash("sha256").update(url).digest("hex");
    return { request: { id, url }, settled };
  } catch (error) {
    running.delete(path);
    throw error;
  }
}

/** Waits for the sign-ins that were started. */
export async function signInsSettled(): Promise<void> {
  const started = await Promise.allSettled(running.values());
  await Promise.all(started.map((one) => one.status === "fulfilled" && one.value.settled));
}
