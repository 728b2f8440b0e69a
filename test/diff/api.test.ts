import { describe, expect, test } from "vitest";
import {
  compareLocks,
  type Lock,
  readLock,
  readToolList,
  uncomparedParts,
} from "../../src/diff/index.js";
import type { SecurityScheme } from "../../src/model/security-scheme-kinds.js";
import type { ApiModel, Operation } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import type { PlanOptions } from "../../src/plan/options.js";
import { lockFile } from "../../src/render/lock.js";
import { api, operation, parameter } from "../plan/fixtures.js";
import { lockedTool } from "./locks.js";

const key: SecurityScheme = { kind: "apiKey", in: "header", name: "X-Key" } as SecurityScheme;
const bearer: SecurityScheme = { kind: "http", scheme: "bearer" } as SecurityScheme;
const oauth = (tokenUrl: string, more: object = {}): SecurityScheme =>
  ({
    kind: "oauth2",
    flows: [{ flow: "clientCredentials", tokenUrl, scopes: {} }],
    ...more,
  }) as SecurityScheme;
const signIn = (authorizationUrl: string): SecurityScheme =>
  ({
    kind: "oauth2",
    flows: [
      {
        flow: "authorizationCode",
        authorizationUrl,
        tokenUrl: "https://id.example/token",
        scopes: {},
      },
    ],
  }) as SecurityScheme;

interface Document extends Partial<ApiModel> {
  readonly operations?: readonly Operation[];
  readonly options?: PlanOptions;
}

const server = (url: string, variables: ApiModel["servers"][0]["variables"] = {}) => [
  { url, variables },
];
const pets = (rest: Partial<Operation> = {}): Operation =>
  operation("GET /pets", { operationId: "listPets", security: [{ key: [] }], ...rest });
const owners = (rest: Partial<Operation> = {}): Operation =>
  operation("POST /owners", { operationId: "createOwner", security: [{ key: [] }], ...rest });

/** Both operations need the same. */
const needing = (...security: NonNullable<Operation["security"]>): readonly Operation[] => [
  pets({ security }),
  owners({ security }),
];

function lockOf({ operations = [pets(), owners()], options, ...rest }: Document): Lock {
  const model = api(operations, { securitySchemes: { key }, ...rest });
  const lock = readLock(lockFile(plan(model, options)).content);
  if (typeof lock !== "object") throw new Error(lock);
  return lock;
}

interface Row {
  readonly given: string;
  readonly before?: Document;
  readonly after: Document;
  /** `class tool where: message` */
  readonly want: readonly string[];
}

const region = (name: string, ...values: string[]): ApiModel["servers"] =>
  server("https://{region}.clinic.example", {
    region: { default: name, ...(values.length > 0 && { enum: values }) },
  });

/** Options with `hosts` of mcp-gen.yaml. */
const trusting = (...hosts: string[]): PlanOptions => ({
  configuration: { content: { version: 1, hosts } } as never,
});

const rows: readonly Row[] = [
  { given: "the same", after: {}, want: [] },
  {
    given: "another host",
    after: { servers: server("https://evil.example/v1") },
    want: [
      "breaking the API server: Credentials now go to `https://evil.example/v1` instead of `https://clinic.example/v1`.",
    ],
  },
  {
    given: "another host of an API without credentials",
    before: { operations: needing() },
    after: { operations: needing(), servers: server("https://other.example/v1") },
    want: [
      "breaking the API server: Requests now go to `https://other.example/v1` instead of `https://clinic.example/v1`.",
    ],
  },
  {
    given: "a host that looks the same",
    after: { servers: server("https://clіnic.example/v1") },
    want: [
      "breaking the API server: Credentials now go to `https://xn--clnic-o2e.example/v1` instead of `https://clinic.example/v1`.",
    ],
  },
  {
    given: "a host longer than other quotations",
    after: { servers: server(`https://clinic.example.${"a.".repeat(60)}evil.example`) },
    want: [
      `breaking the API server: Credentials now go to \`https://clinic.example.${"a.".repeat(60)}evil.example\` instead of \`https://clinic.example/v1\`.`,
    ],
  },
  {
    given: "http instead of https",
    after: { servers: server("http://clinic.example/v1") },
    want: [
      "breaking the API server: Credentials now go to `http://clinic.example/v1` instead of `https://clinic.example/v1`. They are no longer encrypted.",
    ],
  },
  {
    given: "https instead of http",
    before: { servers: server("http://clinic.example/v1") },
    after: {},
    want: [
      "breaking the API server: Credentials now go to `https://clinic.example/v1` instead of `http://clinic.example/v1`.",
    ],
  },
  {
    given: "another base path",
    after: { servers: server("https://clinic.example/v2") },
    want: [
      "breaking the API server: Requests now go to `https://clinic.example/v2` instead of `https://clinic.example/v1`.",
    ],
  },
  {
    given: "a second server, which is not called",
    after: {
      servers: [...server("https://clinic.example/v1"), ...server("https://staging.example")],
    },
    want: [],
  },
  {
    given: "no server",
    after: { servers: [] },
    want: [
      "breaking the API server: Credentials no longer go to `https://clinic.example/v1`; the base URL must be set.",
    ],
  },
  {
    given: "another default of a variable in the host",
    before: { servers: region("eu") },
    after: { servers: region("us") },
    want: [
      "breaking the API server: Credentials now go to `https://us.clinic.example` instead of `https://eu.clinic.example`.",
    ],
  },
  {
    given: "other values of a variable in the host",
    before: { servers: region("eu", "eu", "us") },
    after: { servers: region("eu", "eu", "asia") },
    want: [
      "breaking the API variables.CLINIC_REGION: `CLINIC_REGION` no longer accepts `us`.",
      "additive the API variables.CLINIC_REGION: `CLINIC_REGION` also accepts `asia`.",
    ],
  },
  {
    given: "a variable of the environment in the path",
    before: { servers: server("https://clinic.example") },
    after: {
      servers: server("https://clinic.example/{secretAccessKey}", {
        secretAccessKey: { default: "" },
      }),
    },
    want: [
      "breaking the API server: The URL `https://clinic.example` now contains the value of `CLINIC_SERVER_SECRET_ACCESS_KEY`.",
    ],
  },

  {
    given: "a server of one operation",
    after: { operations: [pets({ servers: server("https://files.example") }), owners()] },
    want: [
      "breaking list_pets requests.GET /pets.server: Requests of `GET /pets` now go to `https://files.example` instead of `https://clinic.example/v1`.",
    ],
  },
  {
    given: "a server of one operation that receives credentials",
    before: { options: trusting("https://files.example") },
    after: {
      operations: [pets({ servers: server("https://files.example") }), owners()],
      options: trusting("https://files.example"),
    },
    want: [
      "breaking list_pets requests.GET /pets.server: Credentials of `GET /pets` now go to `https://files.example` instead of `https://clinic.example/v1`.",
    ],
  },
  {
    given: "a new host that receives credentials",
    after: { options: trusting("https://files.example") },
    want: ["breaking the API hosts: Credentials may now also go to `https://files.example`."],
  },
  {
    given: "a base path of one operation",
    after: { operations: [pets({ servers: server("https://clinic.example/v2") }), owners()] },
    want: [
      "breaking list_pets requests.GET /pets.server: Requests of `GET /pets` now go to `https://clinic.example/v2` instead of `https://clinic.example/v1`.",
    ],
  },
  {
    given: "a new tool on a new host",
    before: { operations: [pets()] },
    after: { operations: [pets(), owners({ servers: server("https://files.example/up") })] },
    want: [
      "additive create_owner: Added, with the operation `POST /owners`.",
      "breaking create_owner requests.POST /owners.server: It calls `https://files.example`, a host that no tool called before.",
    ],
  },
  {
    given: "a new tool on a host that another tool calls",
    before: { operations: [pets({ servers: server("https://files.example/down") })] },
    after: {
      operations: [
        pets({ servers: server("https://files.example/down") }),
        owners({ servers: server("https://files.example/up") }),
      ],
    },
    want: ["additive create_owner: Added, with the operation `POST /owners`."],
  },

  {
    given: "a token endpoint that moved",
    before: { securitySchemes: { key: oauth("https://id.example/token") } },
    after: { securitySchemes: { key: oauth("https://evil.example/token") } },
    want: [
      "breaking the API securitySchemes.key.tokenUrl: Client secrets and refresh tokens of `key` now go to `https://evil.example/token` instead of `https://id.example/token`.",
    ],
  },
  {
    given: "an authorization endpoint that moved",
    before: { securitySchemes: { key: signIn("https://id.example/authorize") } },
    after: { securitySchemes: { key: signIn("https://evil.example/authorize") } },
    want: [
      "breaking the API securitySchemes.key.signIn.authorizationUrl: Users of `key` now sign in at `https://evil.example/authorize` instead of `https://id.example/authorize`.",
    ],
  },
  {
    given: "OpenID Connect metadata that moved",
    before: {
      securitySchemes: { key: { kind: "openIdConnect", url: "https://id.example/m" } as never },
    },
    after: {
      securitySchemes: { key: { kind: "openIdConnect", url: "https://evil.example/m" } as never },
    },
    want: [
      "breaking the API securitySchemes.key.discoveryUrl: The token endpoint of `key` is now read from `https://evil.example/m` instead of `https://id.example/m`.",
      "breaking the API securitySchemes.key.signIn.metadataUrl: The endpoints for signing in to `key` are now read from `https://evil.example/m` instead of `https://id.example/m`.",
    ],
  },
  {
    given: "a scheme of another kind",
    after: { securitySchemes: { key: bearer } },
    want: [
      "breaking the API securitySchemes.key: `key` is now a bearer token instead of an API key in the header `X-Key`.",
      "breaking the API securitySchemes.key.variables: `key` is now read from `CLINIC_TOKEN`, and no longer read from `CLINIC_API_KEY`.",
    ],
  },
  {
    given: "a key that moved from a header to the query",
    after: { securitySchemes: { key: { ...key, in: "query", name: "key" } as SecurityScheme } },
    want: [
      "breaking the API securitySchemes.key: `key` is now an API key in the query parameter `key` instead of an API key in the header `X-Key`.",
    ],
  },
  {
    given: "another header",
    after: { securitySchemes: { key: { ...key, name: "X-Other" } as SecurityScheme } },
    want: [
      "breaking the API securitySchemes.key: `key` is now an API key in the header `X-Other` instead of an API key in the header `X-Key`.",
    ],
  },
  {
    given: "another title, so that another program's variable is read",
    after: { title: "Github" },
    want: [
      "breaking the API securitySchemes.key.variables: `key` is now read from `GITHUB_MCP_API_KEY`, and no longer read from `CLINIC_API_KEY`.",
    ],
  },
  {
    given: "an API key that is declared as a parameter",
    before: { operations: [pets({ security: [] })], securitySchemes: {} },
    after: {
      operations: [
        pets({ security: [], parameters: [parameter("query api_key", { required: true })] }),
      ],
      securitySchemes: {},
    },
    want: [
      "breaking the API parameters.CLINIC_API_KEY: `CLINIC_API_KEY` is now sent as `query api_key`.",
    ],
  },

  {
    given: "an added scope",
    before: {
      securitySchemes: { key: oauth("https://id.example/token") },
      operations: needing({ key: ["read"] }),
    },
    after: {
      securitySchemes: { key: oauth("https://id.example/token") },
      operations: needing({ key: ["read", "write"] }),
    },
    want: [
      "breaking the API securitySchemes.key.scopes: Token requests of `key` now ask for the scope `write`.",
      "breaking the API security: Calls now need the scope `write` of `key`.",
    ],
  },
  {
    given: "a removed scope of one operation",
    before: {
      securitySchemes: { key: oauth("https://id.example/token") },
      operations: [
        pets({ security: [{ key: ["read"] }] }),
        owners({ security: [{ key: ["read", "write"] }] }),
      ],
    },
    after: {
      securitySchemes: { key: oauth("https://id.example/token") },
      operations: needing({ key: ["read"] }),
    },
    want: [
      "breaking the API securitySchemes.key.scopes: Token requests of `key` no longer ask for the scope `write`.",
      "breaking create_owner requests.POST /owners.security: It no longer needs the scope `write` of `key`.",
    ],
  },
  {
    given: "an operation that no longer needs credentials",
    after: { operations: [pets({ security: [] }), owners()] },
    want: [
      "breaking list_pets requests.GET /pets.security: It no longer needs credentials; until now: `key`.",
    ],
  },
  {
    given: "an operation that now needs credentials",
    before: { operations: [pets(), owners({ security: [] })] },
    after: {},
    want: [
      "breaking create_owner requests.POST /owners.security: It now needs credentials: `key`.",
    ],
  },
  {
    given: "another scheme for all calls",
    before: { securitySchemes: { key, token: bearer } },
    after: { securitySchemes: { key, token: bearer }, operations: needing({ token: [] }) },
    want: [
      "breaking the API securitySchemes.token: Credentials were added: `token`, a bearer token, from `CLINIC_TOKEN`.",
      "breaking the API security: Calls now need `token` instead of `key`.",
    ],
  },
  {
    given: "an alternative",
    before: {
      securitySchemes: { key, token: bearer },
      operations: needing({ key: [], token: [] }),
    },
    after: {
      securitySchemes: { key, token: bearer },
      operations: needing({ key: [] }, { token: [] }),
    },
    want: [
      "breaking the API security: Calls now need `key` or `token` instead of `key` and `token`.",
    ],
  },
  {
    given: "alternatives in another order",
    before: {
      securitySchemes: { key, token: bearer },
      operations: needing({ key: [] }, { token: [] }),
    },
    after: {
      securitySchemes: { key, token: bearer },
      operations: needing({ token: [] }, { key: [] }),
    },
    want: [
      "breaking the API security: Calls now prefer credentials in the order `token` or `key`.",
    ],
  },
  {
    given: "a minority that becomes the majority without a change of any call",
    before: { operations: [pets(), owners(), operation("GET /a", { security: [] })] },
    after: {
      operations: [
        pets(),
        owners(),
        ...["a", "b", "c"].map((name) => operation(`GET /${name}`, { security: [] })),
      ],
    },
    want: [
      "additive get_b: Added, with the operation `GET /b`.",
      "additive get_c: Added, with the operation `GET /c`.",
    ],
  },
  {
    given: "schemes in another order",
    before: {
      securitySchemes: { key, token: bearer },
      operations: needing({ key: [], token: [] }),
    },
    after: { securitySchemes: { token: bearer, key }, operations: needing({ key: [], token: [] }) },
    want: [],
  },
];

const texts = (before: Lock, after: Lock): readonly string[] =>
  compareLocks(before, after)
    .filter(({ class: changeClass }) => changeClass !== "cosmetic")
    .map(
      ({ class: changeClass, tool, where, message }) =>
        `${changeClass} ${tool}${where === undefined ? "" : ` ${where}`}: ${message}`,
    );

test.each(rows)("$given", ({ before = {}, after, want }) =>
  expect(texts(lockOf(before), lockOf(after))).toEqual(want),
);

test.each(rows)(
  "$given: the lock changes only if something is reported",
  ({ before = {}, after, want }) => {
    const [was, now] = [lockOf(before), lockOf(after)].map(({ api, tools }) =>
      JSON.stringify([api, tools.map(({ requests }) => requests)]),
    );
    expect(was !== now || want.length === 0).toBe(true);
  },
);

describe("hosts that may receive credentials", () => {
  const lock = lockOf({});
  const withHosts = (...hosts: string[]): Lock => ({ ...lock, api: { ...lock.api, hosts } });
  test.each<[string, Lock, Lock, string[]]>([
    [
      "a new one",
      lock,
      withHosts("https://files.example"),
      ["breaking the API hosts: Credentials may now also go to `https://files.example`."],
    ],
    [
      "a removed one",
      withHosts("https://a.example", "https://b.example"),
      withHosts("https://b.example"),
      ["breaking the API hosts: Credentials may no longer go to `https://a.example`."],
    ],
  ])("%s", (_, before, after, want) => expect(texts(before, after)).toEqual(want));
});

describe("other APIs of workflows", () => {
  const lock = lockOf({});
  const partner = { server: "https://partner.example", security: [{ key: [] }] };
  const step = { operation: "POST /orders", api: "partner" };
  const using = (server: string, more: object = {}): Lock => ({
    ...lock,
    otherApis: { partner: { ...partner, server } },
    tools: [
      lockedTool("order", { operations: ["POST /orders"], requests: [{ ...step, ...more }] }),
    ],
  });
  test.each<[string, Lock, Lock, string[]]>([
    ["the same", using("https://a.example"), using("https://a.example"), []],
    [
      "another host",
      using("https://a.example"),
      using("https://b.example"),
      [
        "breaking the API partner server: Credentials now go to `https://b.example` instead of `https://a.example`.",
      ],
    ],
    [
      "a server of one step",
      using("https://a.example"),
      using("https://a.example", { server: "https://b.example" }),
      [
        "breaking order requests.POST /orders.server: Requests of `POST /orders` now go to `https://b.example` instead of `https://a.example`.",
      ],
    ],
    [
      "another API for a step",
      {
        ...using("https://a.example"),
        tools: [lockedTool("order", { operations: ["POST /orders"] })],
      },
      using("https://a.example"),
      [
        "breaking order requests.POST /orders.server: Credentials of `POST /orders` now go to `https://a.example` instead of `https://clinic.example/v1`.",
      ],
    ],
    [
      "a new API",
      { ...lock, tools: [] },
      { ...using("https://a.example"), tools: [] },
      [
        "breaking the API partner server: Credentials now go to `https://a.example`, unless the base URL is set.",
      ],
    ],
  ])("%s", (_, before, after, want) => expect(texts(before, after)).toEqual(want));
});

describe("sides that do not record where requests go", () => {
  const lock = lockOf({});
  const { api: _, ...old } = lock;
  const moved = lockOf({ servers: server("https://evil.example") });
  const list = readToolList(
    JSON.stringify({
      tools: lock.tools.map(({ operations: __, requests: ___, ...tool }) => ({
        ...tool,
        _meta: { "dev.mcp-gen/fingerprint": "sha256:00" },
      })),
    }),
  ) as Lock;
  test.each<[string, Lock, Lock, RegExp | undefined]>([
    ["an earlier layout", old, moved, /were not compared: a lock of an earlier layout/],
    ["a list of a server", lock, list, /were not compared: a list of tools does not show/],
    ["the first lock of a project", { tools: [] }, moved, undefined],
    ["two locks", lock, lock, undefined],
  ])("%s", (__, before, after, want) => {
    if (before.tools.length > 0) expect(texts(before, after)).toEqual([]);
    const sentence = uncomparedParts(before, after);
    if (want) expect(sentence).toMatch(want);
    else expect(sentence).toBeUndefined();
  });
});
