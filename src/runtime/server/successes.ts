/** Record of calls: base URLs, credentials and paths that work, and requests that have failed. */
import { fnv1a } from "../data/fnv.js";
import { addNewest, isObject } from "../data/values.js";
import { baseUrlOf } from "../errors/next-tools.js";
import { onlyList } from "../pagination/page-memory.js";
import { singularize } from "../language/inflection.js";
import { inputOf } from "../request/parameter-source.js";
import { percentEncode } from "../request/serialize.js";
import type { ApiCall, EarlierSuccesses, SentCredentials } from "../request/types.js";

/** Maximum number of entries. An API has few base URLs and sets of credentials. */
const MAX_ENTRIES = 100;

/** Maximum number of paths. */
const MAX_PATHS = 1_000;

/** Maximum number of paths of deleted items. */
const MAX_DELETED = 200;

/** Maximum number of items of a list whose IDs are recorded. */
const MAX_ITEMS = 100;

/** Maximum number of characters of a body that are compared. */
const MAX_COMPARED = 10_000;

/** Record of a server process. It holds names of variables, never their values. */
export interface SuccessRecord {
  /**
   * Records the success of a call.
   * @param isShared true if all callers of the server send these credentials. Only then the paths
   * of
   *   the call are recorded, because one caller may not learn what another one has
   * @param body JSON of the response. The items of a list are known by their IDs
   */
  add(
    call: RequestOfCall,
    credentials: SentCredentials | undefined,
    isShared: boolean,
    body?: unknown,
  ): void;
  /** Records that the API failed at a call. */
  addFault(call: RequestOfCall, status: number): void;
  /** Reads the record for one call. */
  of(call: RequestOfCall): EarlierSuccesses;
}

type RequestOfCall = Pick<ApiCall, "mapping" | "request" | "rejected" | "caller"> & {
  /** Absent where the record is only read. */
  readonly tool?: Pick<ApiCall["tool"], "name">;
};

/** Creates a record. The oldest entries make room for new ones. */
export function createSuccessRecord(): SuccessRecord {
  const entries = new Set<string>();
  const paths = new Set<string>();
  const deleted = new Map<string, string>();
  const operations = new Set<string>();
  const faults = new Set<string>();
  return {
    add: (call, credentials, isShared, body) => {
      const base = baseUrlOf(call);
      addNewest(entries, `base ${base}`, MAX_ENTRIES);
      addNewest(operations, operationKey(call, base), MAX_ENTRIES);
      if (faults.size > 0) removeFaults(faults, call);
      const key = isShared && credentials ? credentialKey(call, credentials) : undefined;
      if (key !== undefined) addNewest(entries, key, MAX_ENTRIES);
      if (!isShared) return;
      recordPaths(paths, call);
      if (!hasErrors(body)) recordDeletion(deleted, call);
      recordItems(paths, call, body);
    },
    addFault: (call, status) => addNewest(faults, faultKey(call, status), MAX_ENTRIES),
    of: (call) => ({
      hasOperation: () => operations.has(operationKey(call, baseUrlOf(call))),
      hasFailed: (status) => faults.has(faultKey(call, status)),
      isBaseUrlRight: () => entries.has(`base ${baseUrlOf(call)}`),
      haveSucceeded: (credentials) => {
        const key = credentialKey(call, credentials);
        return key !== undefined && entries.has(key);
      },
      hasAccepted: (input, value) =>
        pathsOf(call).some((one) => one.input === input && paths.has(one.path)) ||
        isIdIn(paths, input, value),
      deletedBy: (input) => {
        const path = pathsOf(call).find((one) => one.input === input)?.path;
        return path === undefined ? undefined : deleted.get(path);
      },
    }),
  };
}

/** Forgets the faults of a request that has succeeded, and of the one that it replaced. */
function removeFaults(faults: Set<string>, call: RequestOfCall): void {
  const keys = [call, call.rejected].flatMap((one) => (one ? ` ${requestKey(one)}` : []));
  for (const fault of faults) if (keys.some((key) => fault.endsWith(key))) faults.delete(fault);
}

/** Identifies an operation at its base URL. */
const operationKey = ({ request, mapping }: RequestOfCall, base: string): string =>
  `${request.method} ${base} ${mapping.path}`;

/** Identifies a fault that a caller has seen: a call of another one is not the second one. */
const faultKey = (call: RequestOfCall, status: number): string =>
  `${status} ${call.caller ?? ""} ${requestKey(call)}`;

/** Identifies a request by a number, so that the record has no values. */
function requestKey({ request: { method, url, body = "" } }: RequestOfCall): string {
  const text = typeof body === "string" ? body : String(body.length);
  return String(fnv1a(`${method} ${url} ${text.slice(0, MAX_COMPARED)}`));
}

/** Records the paths of the items of a call. What it deleted, and what was in there, is gone. */
function recordPaths(paths: Set<string>, call: RequestOfCall): void {
  const { method, url } = call.request;
  const own = withoutQuery(url);
  for (const { path } of pathsOf(call)) if (path !== own) addNewest(paths, path, MAX_PATHS);
  if (method !== "DELETE") return addNewest(paths, own, MAX_PATHS);
  for (const path of paths) if (path === own || path.startsWith(`${own}/`)) paths.delete(path);
}

/** True if a success reports errors of its items: `[{"Name": "a", "Err": "cannot be removed"}]`. */
const hasErrors = (body: unknown): boolean =>
  [body, ...(onlyList(body)?.slice(0, MAX_ITEMS) ?? [])].some(
    (one) =>
      isObject(one) &&
      Object.entries(one).some(([name, value]) => /^err(?:ors?)?$/i.test(name) && isPresent(value)),
  );

const isPresent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

/** Records the path of a deleted item, until a call succeeds with it again. */
function recordDeletion(deleted: Map<string, string>, call: RequestOfCall): void {
  const { mapping, request, tool } = call;
  for (const { path } of pathsOf(call)) deleted.delete(path);
  if (request.method !== "DELETE" || !mapping.path.endsWith("}") || !tool) return;
  deleted.set(withoutQuery(request.url), tool.name);
  const [oldest = ""] = deleted.keys();
  if (deleted.size > MAX_DELETED) deleted.delete(oldest);
}

/** Records the paths of the items that a list has returned, from the last to the first. */
function recordItems(paths: Set<string>, { request }: RequestOfCall, body: unknown): void {
  if (request.method !== "GET") return;
  const items = onlyList(body)?.slice(0, MAX_ITEMS) ?? [];
  const base = withoutQuery(request.url).replace(/\/$/, "");
  for (const item of items.toReversed()) {
    const id = idOf(item);
    if (typeof id === "string" || typeof id === "number")
      addNewest(paths, `${base}/${percentEncode(String(id))}`, MAX_PATHS);
  }
}

/** The ID of an item: a field of this name in any spelling, or a text that is all of the item. */
function idOf(item: unknown): unknown {
  if (!isObject(item)) return item;
  return item["id"] ?? Object.entries(item).find(([name]) => /^_?(?:id|[ug]uid)$/i.test(name))?.[1];
}

/** True for the ID of a thing at one of the paths: `db1` as `database_id` for `/databases/db1`. */
function isIdIn(paths: ReadonlySet<string>, input: string, value: unknown): boolean {
  const noun = lettersOf((input.split(".").at(-1) ?? "").replace(ID_WORD, ""));
  if (typeof value !== "string" && typeof value !== "number") return false;
  const end = `/${percentEncode(String(value))}`;
  return [...paths].some((path) => {
    if (!path.endsWith(end)) return false;
    const [collection = ""] = path.slice(0, -end.length).split("/").slice(-1);
    const one = singularize(lettersOf(collection));
    return one.length >= MIN_NOUN && noun.endsWith(one);
  });
}

const ID_WORD = /_?(?:[ug]?u?id|key|name|slug)$/i;

/** Minimum number of letters of a noun. */
const MIN_NOUN = 3;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");

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
