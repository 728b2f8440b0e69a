/** Record of successful calls: base URLs and credentials that are known to work. */
import { baseUrlOf } from "../errors/next-tools.js";
import type { ApiCall, EarlierSuccesses, SentCredentials } from "../request/types.js";

/** Maximum number of entries. An API has few base URLs and sets of credentials. */
const MAX_ENTRIES = 100;

/** Record of a server process. It holds names of variables, never their values. */
export interface SuccessRecord {
  /**
   * Records the success of a call.
   * @param isShared true if all callers of the server send these credentials
   */
  add(call: RequestOfCall, credentials: SentCredentials | undefined, isShared: boolean): void;
  /** Reads the record for one call. */
  of(call: RequestOfCall): EarlierSuccesses;
}

type RequestOfCall = Pick<ApiCall, "mapping" | "request">;

/** Creates a record. The oldest entries make room for new ones. */
export function createSuccessRecord(): SuccessRecord {
  const entries = new Set<string>();
  const add = (entry: string): void => {
    entries.delete(entry);
    entries.add(entry);
    const [oldest = ""] = entries;
    if (entries.size > MAX_ENTRIES) entries.delete(oldest);
  };
  return {
    add: (call, credentials, isShared) => {
      add(`base ${baseUrlOf(call)}`);
      const key = isShared && credentials ? credentialKey(call, credentials) : undefined;
      if (key !== undefined) add(key);
    },
    of: (call) => ({
      isBaseUrlRight: () => entries.has(`base ${baseUrlOf(call)}`),
      haveSucceeded: (credentials) => {
        const key = credentialKey(call, credentials);
        return key !== undefined && entries.has(key);
      },
    }),
  };
}

/** Identifies configured credentials at an origin. Those of a caller are not identified. */
function credentialKey(
  { request }: RequestOfCall,
  { variables, headers }: SentCredentials,
): string | undefined {
  if (variables.length === 0 || headers.length > 0) return undefined;
  return `credentials ${new URL(request.url).origin} ${variables.toSorted().join(" ")}`;
}
