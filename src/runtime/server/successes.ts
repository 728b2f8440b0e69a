/** Record of successful calls: base URLs, credentials and paths that are known to work. */
import { baseUrlOf } from "../errors/next-tools.js";
import { inputOf } from "../request/parameter-source.js";
import type { ApiCall, EarlierSuccesses, SentCredentials } from "../request/types.js";

/** Maximum number of entries. An API has few base URLs and sets of credentials. */
const MAX_ENTRIES = 100;

/** Maximum number of paths. */
const MAX_PATHS = 1_000;

/** Record of a server process. It holds names of variables, never their values. */
export interface SuccessRecord {
  /**
   * Records the success of a call.
   * @param isShared true if all callers of the server send these credentials. Only then the paths of
   *   the call are recorded, because one caller may not learn what another one has
   */
  add(call: RequestOfCall, credentials: SentCredentials | undefined, isShared: boolean): void;
  /** Reads the record for one call. */
  of(call: RequestOfCall): EarlierSuccesses;
}

type RequestOfCall = Pick<ApiCall, "mapping" | "request">;

/** Creates a record. The oldest entries make room for new ones. */
export function createSuccessRecord(): SuccessRecord {
  const entries = new Set<string>();
  const paths = new Set<string>();
  return {
    add: (call, credentials, isShared) => {
      addNewest(entries, `base ${baseUrlOf(call)}`, MAX_ENTRIES);
      const key = isShared && credentials ? credentialKey(call, credentials) : undefined;
      if (key !== undefined) addNewest(entries, key, MAX_ENTRIES);
      if (isShared) recordPaths(paths, call);
    },
    of: (call) => ({
      isBaseUrlRight: () => entries.has(`base ${baseUrlOf(call)}`),
      haveSucceeded: (credentials) => {
        const key = credentialKey(call, credentials);
        return key !== undefined && entries.has(key);
      },
      hasAccepted: (input) =>
        pathsOf(call).some((one) => one.input === input && paths.has(one.path)),
    }),
  };
}

function addNewest(entries: Set<string>, entry: string, max: number): void {
  entries.delete(entry);
  entries.add(entry);
  const [oldest = ""] = entries;
  if (entries.size > max) entries.delete(oldest);
}

/** Records the paths of the items of a call. What it deleted, and what was in there, is gone. */
function recordPaths(paths: Set<string>, call: RequestOfCall): void {
  const { method, url } = call.request;
  const own = withoutQuery(url);
  for (const { path } of pathsOf(call)) if (path !== own) addNewest(paths, path, MAX_PATHS);
  if (method !== "DELETE") return addNewest(paths, own, MAX_PATHS);
  for (const path of paths) if (path === own || path.startsWith(`${own}/`)) paths.delete(path);
}

/** The path of each input in a call's path, up to and with the input. */
function pathsOf(
  call: RequestOfCall,
): readonly { readonly input: string; readonly path: string }[] {
  const { path, pathParams = {} } = call.mapping;
  const template = path.split("/");
  const steps = withoutQuery(call.request.url).split("/");
  const before = steps.length - template.length;
  return Object.entries(pathParams).flatMap(([name, source]) => {
    const input = inputOf(source);
    const at = template.findIndex((step) => step.includes(`{${name}}`));
    if (input === undefined || at < 0 || before < 0) return [];
    return [{ input, path: steps.slice(0, before + at + 1).join("/") }];
  });
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");

/** Identifies configured credentials at an origin. Those of a caller are not identified. */
function credentialKey(
  { request }: RequestOfCall,
  { variables, headers }: SentCredentials,
): string | undefined {
  if (variables.length === 0 || headers.length > 0) return undefined;
  return `credentials ${new URL(request.url).origin} ${variables.toSorted().join(" ")}`;
}
