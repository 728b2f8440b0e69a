/** Readiness of a server over HTTP: whether a load balancer should send it requests. */
import { addSignedInTokens } from "../../auth/signed-in.js";
import { contextsOfApis } from "../../server/api-contexts.js";
import type { ServerContext } from "../../server/context.js";
import { describeMissingSettings } from "../../server/settings.js";
import { jsonReply, type Reply } from "./messages.js";

/** Milliseconds for which an answer is repeated, because anybody may ask. */
const cacheMs = 1_000;

/** Milliseconds after which a check has failed. */
const checkMs = 3_000;

/** Readiness of one process. */
export interface Readiness {
  /** The reply to `/ready`: 200, or 503 with what is missing. */
  reply(): Promise<Reply>;
  /** Notes that the process stops. */
  stop(): void;
}

/** @param hasKeys tells whether the keys of the issuer of callers could be read */
export function createReadiness(
  context: ServerContext,
  hasKeys?: () => Promise<boolean>,
): Readiness {
  let isStopping = false;
  let cached: { readonly until: number; readonly missing: Promise<readonly string[]> } | undefined;
  let hasReachedStore = false;
  const check = (): Promise<readonly string[]> => {
    const now = performance.now();
    if (!cached || cached.until < now)
      cached = { until: now + cacheMs, missing: findMissing(context, hasKeys) };
    return cached.missing;
  };
  return {
    async reply() {
      if (isStopping) return jsonReply(503, { status: "stopping" });
      const missing = await check();
      hasReachedStore ||= !missing.includes("store");
      // All processes lose the store at once, and most calls do not need it: a 503 of all of them
      // would refuse calls that can be answered.
      const isStoreOptional = hasReachedStore && !context.settings.readyNeedsStore;
      const lacking = missing.filter((name) => name !== "store" || !isStoreOptional);
      if (lacking.length > 0) return jsonReply(503, { status: "not ready", missing: lacking });
      return jsonReply(200, { status: "ready", ...(missing.length > 0 && { missing }) });
    },
    stop: () => void (isStopping = true),
  };
}

async function findMissing(
  context: ServerContext,
  hasKeys: () => Promise<boolean> = async () => true,
): Promise<readonly string[]> {
  const checks: Readonly<Record<string, () => Promise<boolean>>> = {
    settings: async () =>
      (await Promise.all(contextsOfApis(context).map(hasSettings))).every(Boolean),
    "issuer keys": hasKeys,
    store: async () => (await context.store?.get("ready"), true),
  };
  const results = Object.entries(checks).map(async ([name, check]) =>
    (await passes(check)) ? [] : [name],
  );
  return (await Promise.all(results)).flat();
}

async function hasSettings({ api, apiContext }: ServerContext): Promise<boolean> {
  const signedIn = await addSignedInTokens(api.security ?? [], apiContext);
  const current = signedIn.ok ? signedIn.context : apiContext;
  return describeMissingSettings({ api, apiContext: current }) === undefined;
}

async function passes(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkMs);
  });
  return Promise.race([check().catch(() => false), expired]).finally(() => clearTimeout(timer));
}
