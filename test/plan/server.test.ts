import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SecurityScheme } from "../../src/model/security-scheme-kinds.js";
import type { ApiModel, Operation, Server } from "../../src/model/types.js";
import {
  derivePackageName,
  environmentPrefix,
  isValidPackageName,
  RUNTIME_VARIABLES,
  titleWords,
} from "../../src/plan/server-names.js";
import { toolsetName } from "../../src/plan/toolsets.js";
import { plan } from "../../src/plan/index.js";
import type { PlanOptions } from "../../src/plan/options.js";
import { resolveBaseUrl } from "../../src/runtime/request/base-url.js";
import { api, codesOf, ok, operation, parameter, planned, send } from "./fixtures.js";

describe("the prefix of environment variables", () => {
  it.each([
    ["Clinic", "CLINIC"],
    ["GitHub v3 REST API", "GITHUB_MCP"],
    ["Swagger Petstore - OpenAPI 3.0", "PETSTORE"],
    ["Dify 服务 API", "DIFY"],
    ["宠物店", "API_MCP"],
    ["", "API_MCP"],
    ["API", "API_MCP"],
    ["JWT", "JWT_MCP"],
    ["Auth Service", "AUTH_MCP"],
    ["Session Recordings", "SESSION_RECORDINGS"],
    ["1Password Connect", "API_1PASSWORD_CONNECT"],
    ["Path", "PATH_MCP"],
    ["Node", "NODE_MCP"],
    ["HTTP", "HTTP_MCP"],
    ["AWS", "AWS_MCP"],
    ["Database Service", "DATABASE_MCP"],
    ["Docker Engine", "DOCKER_ENGINE_MCP"],
    ["Kubernetes", "KUBERNETES_MCP"],
    ["A very long title of an interface to many things", "A_VERY_LONG_TITLE_OF_AN"],
  ])("%s is %s", (title, want) => {
    expect(environmentPrefix(title, undefined)).toBe(want);
  });

  it.each("XDG LC NODE OTEL HTTP HTTPS ALL NO SSL FORCE LOG".split(" "))(
    "%s has a suffix, because serve passes on such variables",
    (title) => {
      expect(environmentPrefix(title, undefined)).toBe(`${title}_MCP`);
    },
  );

  it.each([
    ["FastAPI", true],
    ["OpenAPI definition", true],
    ["My API", true],
    ["Api Documentation", true],
    ["API v2", true],
    ["Clinic API", false],
    ["Fast Food API", false],
    ["宠物店", false],
  ])("is asked for where a framework set the title %s: %s", (title, want) => {
    const codes = (options: PlanOptions): readonly string[] =>
      codesOf(planned(operation("GET /x"), { title }, options).plan);
    expect(codes({}).includes("plan-default-title")).toBe(want);
    expect(codes({ namespace: "shop" })).not.toContain("plan-default-title");
  });

  it("with a suffix is reported", () => {
    expect(codesOf(planned(operation("GET /x"), { title: "GitHub" }).plan)).toContain(
      "plan-env-prefix",
    );
    expect(codesOf(planned(operation("GET /x"), {}).plan)).not.toContain("plan-env-prefix");
  });

  it("is the namespace, if there is one", () => {
    expect(planned(operation("GET /x"), {}, { namespace: "shop" }).plan.api).toMatchObject({
      envPrefix: "SHOP",
      name: "shop",
    });
  });
});

describe("names of the runtime's own variables", () => {
  it("are not assigned to a security scheme or a server variable", () => {
    const schemes: Record<string, SecurityScheme> = {
      a: { kind: "http", scheme: "bearer" },
      http: { kind: "http", scheme: "bearer" },
    };
    const servers: readonly Server[] = [
      {
        url: "https://{allowed_hosts}.example.com/{files_dir}",
        variables: { allowed_hosts: { default: "api" }, files_dir: { default: "v1" } },
      },
    ];
    const { plan: given } = planned(
      { ...operation("GET /x"), security: [{ a: [], http: [] }] },
      { securitySchemes: schemes, servers },
    );
    expect(given.environment.map(({ name }) => name)).toEqual([
      "CLINIC_BASE_URL",
      "CLINIC_SERVER_ALLOWED_HOSTS",
      "CLINIC_SERVER_FILES_DIR",
      "CLINIC_TOKEN",
      "CLINIC_HTTP_TOKEN_2",
    ]);
  });
});

describe("the variable of the base URL", () => {
  const own = "Base URL of the API, instead of the document's.";
  it.each<readonly [string, Server[], string]>([
    ["one server", [{ url: "https://a.example", variables: {} }], own],
    [
      "a server with a base path",
      [{ url: "https://a.example/api/v1/", variables: {} }],
      "Base URL of the API with its base path /api/v1, instead of the document's.",
    ],
    [
      "several servers",
      [
        { url: "https://a.example", variables: {} },
        { url: "https://b.example", description: "Test.\n\nFor *partners*", variables: {} },
        { url: "http://a.example", variables: {} },
        { url: "/c", variables: {} },
        { url: "https://{d}.example", variables: { d: { default: "d" } } },
        { url: "https://e.example/v1", variables: {} },
      ],
      `${own} Other servers: https://b.example (Test. For partners), https://e.example/v1.`,
    ],
  ])("%s", (_, servers, want) => {
    const { plan: given } = planned(operation("GET /x"), { servers });
    expect(given.environment[0]).toMatchObject({ name: "CLINIC_BASE_URL", description: want });
  });
});

describe("the package name", () => {
  it.each([
    ["Clinic", "clinic-mcp-server"],
    ["GitHub v3 REST API", "github-mcp-server"],
    ["The Harbour RESTful API", "harbour-mcp-server"],
    ["Harbour API Endpoints", "harbour-mcp-server"],
    ["宠物店", "api-mcp-server"],
    ["My MCP Server", "my-mcp-server"],
    ["../../etc", "etc-mcp-server"],
    ["x".repeat(300), `${"x".repeat(89)}-mcp-server`],
    ["node_modules", "node-modules-mcp-server"],
  ])("%s is %s", (title, want) => {
    const name = derivePackageName(titleWords(title));
    expect(name).toBe(want);
    expect(isValidPackageName(name) && name.length <= 100).toBe(true);
  });

  it.each(["UPPER", "a b", "", ".a", "node_modules", "@scope/", "a".repeat(215), "a/b"])(
    "%s is not legal",
    (name) => {
      expect(isValidPackageName(name)).toBe(false);
    },
  );
});

describe("options", () => {
  it.each([
    [{ namespace: "Shop" }],
    [{ namespace: "9a" }],
    [{ namespace: "a".repeat(17) }],
    [{ packageName: "Not Legal" }],
    [{ baseUrl: "ftp://x" }],
    [{ baseUrl: "/v1" }],
    [{ baseUrl: "https://u:p@x.y" }],
    [{ baseUrl: "javascript:alert(1)" }],
  ])("%j is rejected", (options) => {
    expect(codesOf(plan(api([operation("GET /x")]), options))).toContain("plan-option");
  });
});

describe("servers", () => {
  const servers = (...urls: readonly string[]): Server[] =>
    urls.map((url) => ({ url, variables: {} }));

  it.each([
    { given: servers("https://a.example/v1"), want: ["https://a.example/v1"], codes: [] },
    { given: servers("/v1", "https://a.example"), want: ["https://a.example"], codes: [] },
    { given: servers("/v1"), want: [], codes: ["plan-no-server"] },
    { given: [], want: [], codes: ["plan-no-server"] },
    {
      given: servers(
        "file:///etc/passwd",
        "javascript:x",
        "https://u:p@h/",
        "https://h/?q",
        "//h/x",
      ),
      want: [],
      codes: ["plan-no-server"],
    },
  ])("$want", ({ given, want, codes }) => {
    const { plan: made } = planned(operation("GET /x"), { servers: given });
    expect(made.api.servers.map((server) => server.url)).toEqual(want);
    expect(codesOf(made)).toEqual(codes);
    expect(made.environment[0]).toMatchObject({
      name: "CLINIC_BASE_URL",
      required: want.length === 0,
      secret: false,
    });
    expect(JSON.stringify(made)).not.toContain("u:p@");
  });

  it.each([
    { url: "http://localhost:{port}", variables: { port: "8080" } },
    {
      url: "{protocol}://{hostname}:{port}/v1",
      variables: { protocol: "http", hostname: "localhost", port: "8108" },
    },
    { url: "{base}/v1", variables: { base: "https://api.example.com" } },
    { url: "https://{host}", variables: { host: "api.example.com:8443/v2" } },
  ])("may have variables in any part: $url", ({ url, variables }) => {
    const defaults = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, { default: value }]),
    );
    const { plan: made } = planned(operation("GET /x"), {
      servers: [{ url, variables: defaults }],
    });
    expect(made.api.servers.map((server) => server.url)).toEqual([url]);
    expect(codesOf(made)).toEqual([]);
    expect(resolveBaseUrl(made.api.servers, { api: made.api, env: {} })).toMatchObject({
      ok: true,
    });
  });

  it.each(["ftp", "/v1", "user:secret@host", "https://h?key=1", "https://h:port"])(
    "not with %s for a default",
    (base) => {
      expect(
        codesOf(
          planned(operation("GET /x"), {
            servers: [{ url: "{base}", variables: { base: { default: base } } }],
          }).plan,
        ),
      ).toEqual(["plan-no-server"]);
    },
  );

  it("report the base path that the base URL must end in", () => {
    const { plan: made } = planned(operation("GET /x"), { servers: servers("/api/v1/") });
    expect(made.environment[0]).toMatchObject({
      description: "Base URL of the API. It must end in the base path /api/v1.",
      example: "https://api.example.com/api/v1",
    });
    expect(made.api.basePath).toBe("/api/v1");
  });

  it.each(["/", "{base}", "../v1"])("report no base path for %s", (url) => {
    const { plan: made } = planned(operation("GET /x"), { servers: servers(url) });
    expect(made.environment[0]).toMatchObject({ example: "https://api.example.com" });
    expect(made.api.basePath).toBeUndefined();
  });

  it("assign an environment variable to every variable of their URLs", () => {
    const region = { default: "eu", enum: ["eu", "us"] };
    const { plan: made } = planned(operation("GET /x"), {
      servers: [
        {
          url: "https://{region}.{token}.example/{unused2}",
          variables: {
            region,
            token: { default: "t" },
            unused: { default: "x" },
            unused2: { default: "v" },
          },
        },
      ],
    });
    expect(made.api.servers[0]!.variables).toEqual({
      region: { env: "CLINIC_REGION", ...region },
      token: { env: "CLINIC_TOKEN", default: "t" },
      unused2: { env: "CLINIC_UNUSED2", default: "v" },
    });
    expect(made.environment.map((variable) => variable.name)).toEqual([
      "CLINIC_BASE_URL",
      "CLINIC_REGION",
      "CLINIC_TOKEN",
      "CLINIC_UNUSED2",
    ]);
  });

  it("of an operation replace those of the API", () => {
    const upload = operation("POST /up", { servers: servers("https://upload.example") });
    expect(send(planned(upload).tool).servers).toEqual([{ url: "https://upload.example" }]);
    expect(
      send(planned(upload, {}, { baseUrl: "http://localhost:1" }).tool).servers,
    ).toBeUndefined();
    expect(codesOf(planned(operation("POST /up", { servers: servers("/up") })).plan)).toEqual([
      "plan-operation-server",
    ]);
  });

  it("are replaced by --base-url", () => {
    expect(
      planned(operation("GET /x"), {}, { baseUrl: "http://localhost:8080/v2" }).plan.api.servers,
    ).toEqual([{ url: "http://localhost:8080/v2" }]);
  });
});

describe("security", () => {
  const kinds: Record<string, SecurityScheme> = {
    key: { kind: "apiKey", in: "header", name: "X-Key" },
    basic: { kind: "http", scheme: "Basic" },
    bearer: { kind: "http", scheme: "bearer" },
    digest: { kind: "http", scheme: "digest" },
    oidc: { kind: "openIdConnect", url: "https://id.example/.well-known" },
    cert: { kind: "mutualTLS" },
    app: {
      kind: "oauth2",
      flows: [{ flow: "clientCredentials", tokenUrl: "https://id.example/token", scopes: {} }],
    },
    user: {
      kind: "oauth2",
      flows: [{ flow: "authorizationCode", tokenUrl: "https://id.example/token", scopes: {} }],
    },
    consent: {
      kind: "oauth2",
      flows: [
        {
          flow: "authorizationCode",
          authorizationUrl: "https://id.example/auth",
          tokenUrl: "/token",
          scopes: {},
        },
        {
          flow: "deviceAuthorization",
          authorizationUrl: "https://id.example/device",
          tokenUrl: "/token",
          scopes: {},
        },
      ],
    },
    relative: {
      kind: "oauth2",
      flows: [{ flow: "clientCredentials", tokenUrl: "/oauth/token", scopes: {} }],
    },
    web: { kind: "oauth2", flows: [{ flow: "implicit", scopes: {} }] },
    metadata: {
      kind: "oauth2",
      flows: [{ flow: "implicit", scopes: {} }],
      metadataUrl: "https://id.example/.well-known/oauth-authorization-server",
    },
    open: {
      kind: "oauth2",
      flows: [],
      metadataUrl: "http://id.example/.well-known/oauth-authorization-server",
    },
    plain: {
      kind: "oauth2",
      flows: [{ flow: "clientCredentials", tokenUrl: "http://id.example/token", scopes: {} }],
    },
  };
  const more = { tokenUrlEnv: "CLINIC_TOKEN_URL", tokenParametersEnv: "CLINIC_TOKEN_PARAMETERS" };
  const keys: Record<string, SecurityScheme> = {
    key: { kind: "apiKey", in: "query", name: "key" },
    token: { kind: "apiKey", in: "query", name: "token" },
  };
  it.each([
    { given: ["key", "token"], want: [{ key: [], token: [] }] },
    { given: ["key"], want: [{ key: [] }] },
    { given: [], want: [{ key: [] }, { token: [] }] },
  ])("alternatives, of which $given are also required parameters", ({ given, want }) => {
    const { tool, plan: made } = planned(
      operation("GET /x", {
        parameters: given.map((name) => parameter(`query ${name}`, { required: true })),
        security: [{ key: [] }, { token: [] }],
      }),
      { securitySchemes: keys },
    );
    expect(made.api.security).toEqual(want);
    expect(tool.inputs).toEqual([]);
  });

  it.each([
    {
      given: { basic: [], header: [], key: [] },
      want: [
        { basic: [], key: [] },
        { header: [], key: [] },
      ],
    },
    { given: { basic: [], key: [] }, want: [{ basic: [], key: [] }] },
  ])("schemes of one header are alternatives: $given", ({ given, want }) => {
    const schemes: Record<string, SecurityScheme> = {
      ...kinds,
      header: { kind: "apiKey", in: "header", name: "authorization" },
    };
    expect(
      planned(operation("GET /x", { security: [given as Record<string, string[]>] }), {
        securitySchemes: schemes,
      }).plan.api.security,
    ).toEqual(want);
  });

  it("prefers alternatives without a deprecated scheme", () => {
    const old = { kind: "apiKey", in: "query", name: "old", deprecated: true } as const;
    const made = planned(
      operation("GET /x", { security: [{ old: [], key: [] }, { bearer: [] }, {}] }),
      { securitySchemes: { ...kinds, old } },
    ).plan;
    expect(made.api.security).toEqual([{ bearer: [] }, {}, { old: [], key: [] }]);
    expect(
      made.environment.find(({ description }) => description.includes("old"))?.description,
    ).toMatch(/ Deprecated\.$/);
  });

  const schemeOf = (name: string) =>
    planned(operation("GET /x", { security: [{ [name]: ["read"] }] }), { securitySchemes: kinds })
      .plan;

  it.each([
    { name: "key", want: { kind: "apiKey", in: "header", name: "X-Key", env: "CLINIC_API_KEY" } },
    {
      name: "basic",
      want: { kind: "basic", usernameEnv: "CLINIC_USERNAME", passwordEnv: "CLINIC_PASSWORD" },
    },
    { name: "bearer", want: { kind: "bearer", env: "CLINIC_TOKEN" } },
    { name: "digest", want: { kind: "http", scheme: "digest", env: "CLINIC_CREDENTIALS" } },
    {
      name: "oidc",
      want: {
        kind: "oauth2",
        tokenEnv: "CLINIC_TOKEN",
        clientIdEnv: "CLINIC_CLIENT_ID",
        clientSecretEnv: "CLINIC_CLIENT_SECRET",
        refreshTokenEnv: "CLINIC_REFRESH_TOKEN",
        discoveryUrl: "https://id.example/.well-known",
        ...more,
        scopes: ["read"],
        signIn: { metadataUrl: "https://id.example/.well-known" },
      },
    },
    {
      name: "cert",
      want: { kind: "mutualTLS", certEnv: "CLINIC_CLIENT_CERT", keyEnv: "CLINIC_CLIENT_KEY" },
    },
    {
      name: "app",
      want: {
        kind: "oauth2",
        tokenEnv: "CLINIC_TOKEN",
        clientIdEnv: "CLINIC_CLIENT_ID",
        clientSecretEnv: "CLINIC_CLIENT_SECRET",
        tokenUrl: "https://id.example/token",
        ...more,
        scopes: ["read"],
      },
    },
    {
      name: "user",
      want: {
        kind: "oauth2",
        tokenEnv: "CLINIC_TOKEN",
        clientIdEnv: "CLINIC_CLIENT_ID",
        clientSecretEnv: "CLINIC_CLIENT_SECRET",
        refreshTokenEnv: "CLINIC_REFRESH_TOKEN",
        withoutClientGrant: true,
        tokenUrl: "https://id.example/token",
        ...more,
        scopes: ["read"],
      },
    },
    {
      name: "relative",
      want: {
        kind: "oauth2",
        tokenEnv: "CLINIC_TOKEN",
        clientIdEnv: "CLINIC_CLIENT_ID",
        clientSecretEnv: "CLINIC_CLIENT_SECRET",
        tokenUrl: "/oauth/token",
        ...more,
        scopes: ["read"],
      },
    },
    {
      name: "metadata",
      want: {
        kind: "oauth2",
        tokenEnv: "CLINIC_TOKEN",
        clientIdEnv: "CLINIC_CLIENT_ID",
        clientSecretEnv: "CLINIC_CLIENT_SECRET",
        refreshTokenEnv: "CLINIC_REFRESH_TOKEN",
        discoveryUrl: "https://id.example/.well-known/oauth-authorization-server",
        ...more,
        scopes: ["read"],
        signIn: { metadataUrl: "https://id.example/.well-known/oauth-authorization-server" },
      },
    },
    {
      name: "consent",
      want: {
        kind: "oauth2",
        tokenEnv: "CLINIC_TOKEN",
        clientIdEnv: "CLINIC_CLIENT_ID",
        clientSecretEnv: "CLINIC_CLIENT_SECRET",
        refreshTokenEnv: "CLINIC_REFRESH_TOKEN",
        withoutClientGrant: true,
        tokenUrl: "/token",
        ...more,
        scopes: ["read"],
        signIn: {
          authorizationUrl: "https://id.example/auth",
          deviceUrl: "https://id.example/device",
          tokenUrl: "/token",
        },
      },
    },
    { name: "open", want: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN", scopes: ["read"] } },
    { name: "web", want: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN", scopes: ["read"] } },
    { name: "plain", want: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN", scopes: ["read"] } },
  ])("$name", ({ name, want }) => {
    expect(schemeOf(name).api.securitySchemes).toEqual({ [name]: want });
  });

  it("assigns variables to every scheme", () => {
    const made = planned(
      operation("GET /x", { security: [{ bearer: [] }, { oidc: [] }, { web: [] }] }),
      { securitySchemes: kinds },
    ).plan;
    expect(
      Object.values(made.api.securitySchemes).map((scheme) =>
        "env" in scheme ? scheme.env : "tokenEnv" in scheme ? scheme.tokenEnv : "",
      ),
    ).toEqual(["CLINIC_TOKEN", "CLINIC_OIDC_TOKEN", "CLINIC_WEB_TOKEN"]);
  });

  it("requires a credential without alternatives, and marks it as secret", () => {
    const variable = (security: ApiModel["operations"][number]["security"]) =>
      planned(operation("GET /x", { ...(security && { security }) }), {
        securitySchemes: kinds,
      }).plan.environment.find((one) => one.name === "CLINIC_API_KEY");
    expect(variable([{ key: [] }])).toMatchObject({ required: true, secret: true });
    expect(variable([{ key: [] }, { bearer: [] }])).toMatchObject({ required: false });
    expect(variable([{ key: [] }, {}])).toMatchObject({ required: false });
    expect(variable([{ bearer: [] }])).toBeUndefined();
  });

  it("is part of an operation only if it differs from the default", () => {
    const made = plan(
      api(
        [
          operation("GET /a", { security: [{ key: [] }] }),
          operation("GET /b", { security: [{ key: [] }] }),
          operation("GET /c", { security: [] }),
          operation("GET /d"),
          operation("GET /e", { security: [{ bearer: [], key: [] }] }),
        ],
        { securitySchemes: kinds },
      ),
    );
    expect(made.api.security).toEqual([{ key: [] }]);
    expect(made.tools.map((tool) => send(tool).security)).toEqual([
      undefined,
      undefined,
      [],
      [],
      [{ bearer: [], key: [] }],
    ]);
  });

  it("reports unused schemes, and challenges", () => {
    const open = operation("GET /x", { security: [] });
    expect(codesOf(planned(open, { securitySchemes: kinds }).plan)).toEqual([
      "plan-security-unused",
    ]);
    expect(codesOf(schemeOf("digest"))).toEqual(["plan-security-scheme"]);
  });
});

it("says in a title that a thing is returned rather than read", () => {
  const returned = operation("POST /payments/{id}/returns", { summary: "Return payment" });
  expect(planned(returned).plan.tools[0]?.definition.title).toBe("Return payment");
});

describe("toolsets", () => {
  it.each([
    { tag: "PlanInformation", want: "Plan information" },
    { tag: "KeysApi", want: "Keys" },
    { tag: "petController", want: "Pet" },
    { tag: "cloud-storage", want: "Cloud storage" },
    { tag: "GitHub", want: "GitHub" },
    { tag: "My IDs", want: "My IDs" },
  ])("have readable titles: $tag", ({ tag, want }) => {
    expect(planned(operation("GET /x", { tags: [tag] })).plan.toolsets[0]?.title).toBe(want);
  });

  it.each([
    ["Pets", "pets"],
    ["User Accounts", "user_accounts"],
    ["v2", "v2"],
    ["2fa", "api_2fa"],
    ["CON", "con_tools"],
    ["nul.txt", "nul_txt"],
    ["../../x", "x"],
    ["node_modules", "node_modules_tools"],
    ["dist", "dist_tools"],
    [".", undefined],
    ["", undefined],
    ["宠物", undefined],
    ["x".repeat(300), "x".repeat(24)],
  ])("%s is %s", (tag, want) => {
    expect(toolsetName(tag)).toBe(want);
  });

  it("follow the order and the texts of the document's tags", () => {
    const made = plan(
      api(
        [
          operation("GET /z"),
          operation("GET /b", { tags: ["b"] }),
          operation("GET /a", { tags: ["A thing"] }),
          operation("GET /{x}"),
          operation("GET /宠物", { tags: ["宠物"] }),
        ],
        {
          tags: [
            { name: "A thing", description: "All about *A*." },
            { name: "b" },
            { name: "none" },
          ],
        },
      ),
    );
    expect(made.toolsets).toEqual([
      { name: "a_thing", title: "A thing", description: "All about A." },
      { name: "b", title: "B" },
      { name: "z", title: "Z" },
      { name: "api", title: "API" },
    ]);
    expect(made.tools.map((tool) => tool.toolset)).toEqual(["a_thing", "b", "z", "api", "api"]);
  });
});

describe("the API", () => {
  it("has a summary of one sentence", () => {
    const { plan: made } = planned(operation("GET /x"), {
      title: "Clinic API",
      description: "Manages **pets**. And owners.",
    });
    expect(made).toMatchObject({
      summary: "Manages pets.",
      source: "clinic.yaml",
      api: {
        name: "clinic",
        title: "Clinic API",
        version: "1.0.0",
        instructions: "Clinic API: Manages pets. And owners.",
      },
    });
  });

  it.each([
    ["Manages pets", "One per owner.", "Clinic API: Manages pets. One per owner."],
    ["Manages pets.", "Manages pets. One per owner.", "Clinic API: Manages pets. One per owner."],
    ["Clinic API", "One per owner.", "Clinic API: One per owner."],
  ])("has the summary %j and the description %j in its instructions", (summary, text, want) => {
    const { plan: made } = planned(operation("GET /x"), {
      title: "Clinic API",
      summary,
      description: text,
    });
    expect(made.api.instructions).toBe(want);
  });

  it("needs no texts", () => {
    expect(planned(operation("GET /x"), { title: "", version: "" }).plan).toMatchObject({
      packageName: "api-mcp-server",
      summary: "MCP server for an API.",
      api: { name: "api", title: "API", version: "0" },
    });
  });

  it("has no instructions that say nothing", () => {
    const { plan: made } = planned(operation("GET /x"), { title: "Pets", description: "Pets." });
    expect(made.api).not.toHaveProperty("instructions");
  });

  it("has instructions about what its tools share", () => {
    const paged = (name: string): Operation =>
      operation(`GET /${name}`, {
        operationId: `list_${name}`,
        parameters: [
          parameter("query cursor"),
          { ...parameter("query since"), schema: { type: "string", format: "date-time" } },
        ],
        responses: [
          ok({
            type: "object",
            properties: {
              data: { type: "array", items: { type: "object" } },
              next_cursor: { type: "string" },
            },
          }),
        ],
      });
    const { instructions } = plan(api(["cats", "dogs", "hens"].map(paged))).api;
    expect(instructions).toMatch(/Times are RFC 3339, such as 2026-01-31T09:00:00Z\./);
    expect(instructions).toMatch(/Lists come in pages: a result says how to get the next one\./);
    expect(instructions).not.toMatch(/dates are/);
  });
});

describe("variables of the runtime", () => {
  it("are all reserved, so that no document takes one", () => {
    const root = join(import.meta.dirname, "../../src/runtime");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    const texts = files
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(root, file), "utf8"));
    const read = texts
      .flatMap((text) => [...text.matchAll(/prefix\}_([A-Z][A-Z_]*)/gi)].map(([, name]) => name!))
      .filter((name) => !name.endsWith("_"));
    // The plan of the servers adds it.
    const missing = read.filter((name) => !RUNTIME_VARIABLES.has(name) && name !== "BASE_URL");
    expect([...new Set(missing)]).toEqual([]);
    expect(read.length).toBeGreaterThan(30);
  });
});
