/** Changes of where the requests of single tools go, and of the credentials that they need. */
import { omitUndefined } from "../json.js";
import { API, otherApi } from "./api-name.js";
import { defaultRequirementChange, hasCredentials } from "./api-changes.js";
import { inlineCode } from "./inline-code.js";
import { requirementChange } from "./requirements.js";
import { inlineUrl, type LockedServer, originOf, serverChange } from "./servers.js";
import type {
  Change,
  Lock,
  LockedApi,
  LockedRequest,
  LockedTool,
  SecurityRequirements,
} from "./types.js";

/** A request with the values that it has from its API. */
interface EffectiveRequest {
  readonly operation: string;
  /** Absent for the document's API. */
  readonly api: string | undefined;
  readonly server: LockedServer;
  readonly security: SecurityRequirements;
  readonly isApiServer: boolean;
  readonly isApiSecurity: boolean;
}

/**
 * Compares the requests of tools with the values that they have from their API. A change of these
 * values themselves is one of the API.
 */
export class RequestComparison {
  readonly #origins: ReadonlySet<string>;
  /** APIs whose changed requirement reaches a tool. */
  readonly #changedApis = new Set<string | undefined>();
  /** APIs of which a request has its own requirement on one side only. */
  readonly #mixedApis = new Set<string | undefined>();

  /**
   * @param was a lock that records the APIs, like the other
   * @param pairs tools before and after
   */
  constructor(
    private readonly was: Lock,
    private readonly now: Lock,
    pairs: readonly { readonly before?: LockedTool; readonly after?: LockedTool }[],
  ) {
    this.#origins = knownOrigins(was);
    for (const { before, after } of pairs)
      for (const [earlier, request] of before && after ? this.#requestPairs(before, after) : [])
        if (earlier && earlier.isApiSecurity !== request.isApiSecurity)
          this.#mixedApis.add(request.api);
  }

  #requestPairs(
    before: LockedTool | undefined,
    after: LockedTool,
  ): readonly (readonly [EffectiveRequest | undefined, EffectiveRequest])[] {
    const former = new Map(
      (before ? effectiveRequests(before, this.was) : []).map((request) => [
        keyOf(request),
        request,
      ]),
    );
    return effectiveRequests(after, this.now).map((request) => [
      former.get(keyOf(request)) ?? findOperation(former, request),
      request,
    ]);
  }

  /** Changes of a tool. Without a former one, the tool is new. */
  changes(before: LockedTool | undefined, after: LockedTool): readonly Change[] {
    return this.#requestPairs(before, after).flatMap(([earlier, request]) => {
      const changes = earlier ? this.#changesOf(earlier, request) : this.#newHost(request);
      return changes.map((change) => ({
        ...change,
        class: "breaking",
        tool: after.name,
        message: change.message.replace(
          SUBJECT,
          after.operations.length === 1 ? "It" : inlineCode(request.operation),
        ),
      }));
    });
  }

  /** Changes of the requirements of APIs that reach tools. To be called after `changes`. */
  sharedChanges(): readonly Change[] {
    return [...this.#changedApis].flatMap((name) =>
      defaultRequirementChange(
        name === undefined ? API : otherApi(name),
        apiOf(this.was, name),
        apiOf(this.now, name),
      ),
    );
  }

  #changesOf(was: EffectiveRequest, now: EffectiveRequest): readonly RequestChange[] {
    const isSameApi = was.api === now.api;
    return [
      ...(isSameApi && was.isApiServer && now.isApiServer ? [] : serverChanges(was, now)),
      ...this.#securityChanges(was, now, isSameApi),
    ];
  }

  #securityChanges(
    was: EffectiveRequest,
    now: EffectiveRequest,
    isSameApi: boolean,
  ): readonly RequestChange[] {
    const message = requirementChange(was.security, now.security, SUBJECT);
    if (message === undefined) return [];
    const isShared = was.isApiSecurity && now.isApiSecurity && !this.#mixedApis.has(now.api);
    if (isSameApi && isShared) {
      this.#changedApis.add(now.api);
      return [];
    }
    const where = `requests.${now.operation}.security`;
    return [{ kind: "security", where, message, was: was.security, now: now.security }];
  }

  /** A request of a new tool or operation to a host that was not called before. */
  #newHost({ operation, server, isApiServer }: EffectiveRequest): readonly RequestChange[] {
    const origin = originOf(server);
    if (isApiServer || origin === undefined || this.#origins.has(origin)) return [];
    return [
      {
        kind: "server",
        where: `requests.${operation}.server`,
        message: `${SUBJECT} calls ${inlineUrl(origin)}, a host that no tool called before.`,
        now: server.template,
      },
    ];
  }
}

type RequestChange = Omit<Change, "tool" | "class">;

/** Stands for the subject of a sentence, which depends on the number of operations. */
const SUBJECT = "\u0000";

function effectiveRequests(tool: LockedTool, lock: Lock): readonly EffectiveRequest[] {
  const own = tool.requests ?? [];
  const listed = new Set(own.map(({ operation }) => operation));
  const others = tool.operations.filter((operation) => !listed.has(operation));
  return [...own, ...others.map((operation): LockedRequest => ({ operation }))].map((request) => {
    const { operation, api: name, server, security } = request;
    const api = apiOf(lock, name);
    return {
      operation,
      api: name,
      server: { template: server ?? api.server, api },
      security: security ?? api.security ?? [],
      isApiServer: server === undefined,
      isApiSecurity: security === undefined,
    };
  });
}

function apiOf({ api = {}, otherApis = {} }: Lock, name: string | undefined): LockedApi {
  if (name === undefined) return api;
  return Object.hasOwn(otherApis, name) ? otherApis[name]! : {};
}

const keyOf = ({ api = "", operation }: EffectiveRequest): string => `${api} ${operation}`;

/** The same operation of another API. */
function findOperation(
  requests: ReadonlyMap<string, EffectiveRequest>,
  { operation }: EffectiveRequest,
): EffectiveRequest | undefined {
  return [...requests.values()].find((request) => request.operation === operation);
}

function serverChanges(was: EffectiveRequest, now: EffectiveRequest): readonly RequestChange[] {
  const code = inlineCode(now.operation);
  const isSecret =
    receivesCredentials(now.server) &&
    [was, now].some(({ security, server }) => hasCredentials({ ...server.api, security }));
  const change = serverChange(was.server, now.server, {
    requests: `Requests of ${code}`,
    credentials: `${isSecret ? "Credentials" : "Requests"} of ${code}`,
  });
  const where = `requests.${now.operation}.server`;
  return change ? [omitUndefined({ kind: "server", where, ...change })] : [];
}

/** True for a server at the origin of the base URL, or at another one that receives credentials. */
function receivesCredentials(server: LockedServer): boolean {
  const { api } = server;
  const trusted = [api.server, ...(api.hosts ?? [])].map((template) => originOf({ template, api }));
  return trusted.includes(originOf(server));
}

/** Origins of the servers that a lock names. */
function knownOrigins(lock: Lock): ReadonlySet<string> {
  const { api = {}, otherApis = {} } = lock;
  const servers = [
    ...[api, ...Object.values(otherApis)].flatMap((one) => [
      { template: one.server, api: one },
      ...(one.hosts ?? []).map((host) => ({ template: host, api: one })),
    ]),
    ...lock.tools.flatMap((tool) => effectiveRequests(tool, lock).map((request) => request.server)),
  ];
  return new Set(servers.flatMap((server) => originOf(server) ?? []));
}
