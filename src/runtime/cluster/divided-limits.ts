/** Limits of concurrent requests, divided among workers. */
import type { ApiDefinition } from "../api-definition.js";
import type { Env } from "../request/types.js";

/** Concurrent requests to the API without a setting. */
const DEFAULT_CONCURRENCY = 32;

/**
 * Variables that give each worker its share of the concurrent requests, so that all workers
 * together send no more than one process. A sentence if there is less than one for each.
 */
export function dividedLimits(
  { envPrefix, apis }: ApiDefinition,
  env: Env,
  workers: number,
): Env | string {
  const prefixes = [envPrefix, ...Object.values(apis ?? {}).map((api) => api.envPrefix)];
  const divided: Record<string, string> = {};
  for (const prefix of prefixes) {
    const total = `${prefix}_MAX_CONCURRENCY`;
    const perCaller = `${total}_PER_CALLER`;
    const value = env[total] || (prefix === envPrefix ? String(DEFAULT_CONCURRENCY) : "");
    if (value !== "" && Number(value) < workers)
      return `--workers ${workers} needs ${total} of at least ${workers}: each worker sends requests.`;
    if (value !== "") divided[total] = share(value, workers);
    if (Number(env[perCaller] ?? 0) > 0) divided[perCaller] = share(env[perCaller]!, workers);
  }
  return divided;
}

/** A worker sends at least one request at once. */
function share(value: string, workers: number): string {
  return String(Math.max(1, Math.floor(Number(value) / workers)));
}
