/**
 * Every key of `mcp-gen.schema.json` where it changes nothing: an error, a warning or a notice says
 * so, or the table says why nothing does.
 */
import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import type { JsonObject } from "../../src/json.js";
import { buildModel } from "../../src/model/index.js";
import { plan } from "../../src/plan/index.js";
import { schemaKeys } from "./schema-keys.js";

const text = { type: "string" };
const query = (name: string, required = false): object => ({
  name,
  in: "query",
  required,
  schema: text,
});
const ok = (schema: object): object => ({
  200: { description: "OK", content: { "application/json": { schema } } },
});
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://a.example" }],
  paths: {
    "/refresh": {
      post: {
        operationId: "refresh",
        tags: ["x"],
        parameters: [query("mode"), query("id", true)],
        responses: { 204: { description: "Done" } },
      },
    },
    "/sync": {
      post: {
        operationId: "sync",
        parameters: [query("id", true), query("all")],
        responses: { 204: { description: "Done" } },
      },
    },
    "/pets": {
      get: {
        operationId: "listPets",
        tags: ["x"],
        responses: ok({
          type: "array",
          items: { type: "object", properties: { id: text, name: text } },
        }),
      },
    },
  },
};

/** The diagnostics about a configuration: severity, code and message. */
function diagnosticsOf(yaml: string): readonly string[] {
  const { content, diagnostics, locationOf } = parseConfiguration(`version: 1\n${yaml}\n`, "f");
  const toText = ({ severity, code, message }: (typeof diagnostics)[number]): string =>
    `${severity} ${code} ${message}`;
  if (!content) return diagnostics.map(toText);
  const root = DOCUMENT as unknown as JsonObject;
  const { model } = buildModel({ source: "a.json", name: "a.json", version: "3.1", root });
  const configuration = { content, locationOf };
  const { includeDeprecated, outputSchemas: output, granularity } = content;
  const options = {
    configuration,
    ...(includeDeprecated !== undefined && { includeDeprecated }),
    ...(output && { output }),
    ...(granularity && { granularity }),
  };
  return plan(model!, options)
    .diagnostics.map(toText)
    .filter((one) => / (?:config|plan-budget)-/.test(one));
}

const tool = (rule: string): string => `tools: {refresh: ${rule}}`;
const list = (rule: string): string => `tools: {list_pets: ${rule}}`;
const input = (rule: string): string => tool(`{inputs: {mode: ${rule}}}`);
const job = (rule: string): string => tool(`{job: ${rule}}`);

/** Keys that change nothing in a configuration, and the start of what says so. */
const REPORTED: Readonly<Record<string, readonly [yaml: string, says: string]>> = {
  includeDeprecated: ["includeDeprecated: true", "warning config-ineffective `includeDeprecated`"],
  outputSchemas: [
    // Without a result of any tool.
    "outputSchemas: strict\nselect: {rules: [{match: {operations: [listPets]}, include: false}]}",
    "warning config-ineffective `outputSchemas`",
  ],
  overlays: ["overlays: []", "warning config-ineffective `overlays`"],
  workflows: ["workflows: []", "warning config-ineffective `workflows`"],
  features: ["features: []", "warning config-ineffective `features`"],
  packages: ["packages: {}", "warning config-ineffective `packages`"],
  deploy: ["deploy: []", "warning config-ineffective `deploy`"],
  images: ["images: {}", "warning config-ineffective `images`"],
  hosts: ["hosts: []", "warning config-ineffective `hosts`"],
  allowRemoteRefs: ["allowRemoteRefs: []", "warning config-ineffective `allowRemoteRefs`"],
  approve: ["approve: destructive", "warning config-ineffective `approve`"],
  server: ["server: {}", "warning config-ineffective `server`"],
  "server.readBack": ["server: {readBack: false}", "warning config-ineffective `server.readBack`"],
  "server.bulkWrites": [
    "server: {bulkWrites: false}",
    "warning config-ineffective `server.bulkWrites`",
  ],
  "server.bulkReads": [
    "server: {bulkReads: false}",
    "warning config-ineffective `server.bulkReads`",
  ],
  "server.countOnly": [
    "server: {countOnly: false}",
    "warning config-ineffective `server.countOnly`",
  ],
  "server.documentation": [
    "server: {documentation: false}",
    "warning config-ineffective `server.documentation`",
  ],
  "server.includeLists": [
    "server: {includeLists: false}",
    "warning config-ineffective `server.includeLists`",
  ],
  "server.strictInputs": [
    "server: {strictInputs: true}\nselect: {rules: [{match: {method: POST}, include: false}]}",
    "warning config-ineffective `server.strictInputs`",
  ],
  "server.openWorld": [
    "server: {openWorld: false}",
    "warning config-ineffective `server.openWorld`",
  ],
  "server.fields": ["server: {fields: true}", "warning config-ineffective `server.fields`"],
  "server.followPages": [
    "server: {followPages: false}",
    "warning config-ineffective `server.followPages`",
  ],
  "server.lookUpNames": [
    "server: {lookUpNames: false}",
    "warning config-ineffective `server.lookUpNames`",
  ],
  "server.headers": ["server: {headers: {}}", "warning config-ineffective `server.headers`"],
  security: ["security: []", "warning config-ineffective `security`"],
  budget: ["budget: {}", "warning config-ineffective `budget`"],
  "budget.listed": [
    "budget: {listed: [refresh], listTokens: 1, onExceed: discovery}",
    "warning config-ineffective `budget.listed`",
  ],
  select: ["select: {}", "warning config-ineffective `select`"],
  "select.rules[].include": [
    "select: {rules: [{match: {tags: [x]}, include: true}]}",
    "error config-no-effect This rule changes nothing. The operations that it matches are selected",
  ],
  "select.rules": ["select: {rules: []}", "warning config-ineffective `select.rules`"],
  ...Object.fromEntries(
    (
      [
        ["", "{tags: [none]}", "error config-no-match"],
        [".tags", "{tags: [none]}", "error config-no-match"],
        [".path", "{path: /none}", "error config-no-match"],
        [".method", "{method: DELETE}", "error config-no-match"],
        [".operations", "{operations: [none]}", "error config-unknown-operation"],
      ] as const
    ).map(([key, match, says]) => [
      `select.rules[].match${key}`,
      [`select: {rules: [{match: ${match}, include: false}]}`, says] as const,
    ]),
  ),
  parameters: ["parameters: {}", "warning config-ineffective `parameters`"],
  "parameters.*.fixed": ["parameters: {none: {fixed: a}}", "error config-unknown-parameter"],
  "parameters.*.env": ["parameters: {none: {env: A}}", "error config-unknown-parameter"],
  "parameters.*.override": [
    "parameters: {none: {env: A, override: true}}",
    "error config-unknown-parameter",
  ],
  "parameters.*.hide": [
    "parameters: {mode: {hide: false}}",
    "error config-no-effect `parameters.mode.hide`",
  ],
  errors: ["errors: {}", "warning config-ineffective `errors`"],
  tools: ["tools: {}", "warning config-ineffective `tools`"],
  "tools.*.merge": [
    list("{merge: [listPets]}"),
    "error config-no-effect `tools.list_pets.merge` changes nothing. It has one operation",
  ],
  ...Object.fromEntries(
    [
      ["[]", "[{operation: refresh, inputs: {mode: {name: mode}}}, sync]", "0"],
      [".*", "{a: {operation: refresh, inputs: {mode: {name: mode}}}, b: sync}", "a"],
    ].flatMap(([form, merge, key]) =>
      ["inputs", "inputs.*.name"].map((part) => [
        `tools.*.merge${form}.${part}`,
        [
          `tools: {both: {merge: ${merge}}}`,
          `error config-no-effect \`tools.both.merge.${key}.inputs.mode.name\``,
        ] as const,
      ]),
    ),
  ),
  "tools.*.include": [
    "select: {default: exclude, rules: [{match: {path: /pets}, include: true}]}\n" +
      tool("{operation: refresh, include: false}"),
    "error config-no-effect `include` of refresh",
  ],
  "tools.*.choose": [tool("{choose: a}"), "error config-no-effect `tools.refresh.choose`"],
  "tools.*.examples": [
    tool("{examples: []}"),
    "warning config-ineffective `tools.refresh.examples`",
  ],
  "tools.*.keywords": [
    tool("{keywords: []}"),
    "warning config-ineffective `tools.refresh.keywords`",
  ],
  "tools.*.annotations": [
    tool("{annotations: {}}"),
    "warning config-ineffective `tools.refresh.annotations`",
  ],
  "tools.*.inputs": [tool("{inputs: {}}"), "warning config-ineffective `tools.refresh.inputs`"],
  "tools.*.inputs.*.name": [input("{name: mode}"), 'info config-restates "mode" has this name'],
  "tools.*.inputs.*.description": [
    input("{fixed: a, description: b}"),
    "error config-no-effect `description`",
  ],
  "tools.*.inputs.*.default": [
    input("{required: true, default: b}"),
    'error config-no-effect `default` of "mode" changes nothing beside `required`',
  ],
  "tools.*.inputs.*.examples": [
    input("{hide: true, examples: [b]}"),
    "error config-no-effect `examples`",
  ],
  "tools.*.inputs.*.required": [input("{required: false}"), "info config-restates"],
  "tools.*.inputs.*.ask": [input("{fixed: a, ask: true}"), "error config-no-effect `ask`"],
  "tools.*.inputs.*.hide": [input("{fixed: a, hide: true}"), "error config-no-effect `hide`"],
  "tools.*.inputs.*.env": [input("{fixed: a, env: B}"), "error config-no-effect `env`"],
  "tools.*.inputs.*.override": [
    input("{fixed: a, env: B, override: true}"),
    "error config-no-effect `env`, `override`",
  ],
  "tools.*.inputs.*.resolve": [
    input("{resolve: false}"),
    "error config-no-effect `tools.refresh.inputs.mode.resolve`",
  ],
  ...Object.fromEntries(
    ["via", "match", "id", "url"].map((key) => [
      `tools.*.inputs.*.resolve.${key}`,
      [
        input(
          "{fixed: a, resolve: {via: list_pets, match: name, id: id, url: 'https://a.example/{mode}'}}",
        ),
        "error config-no-effect `resolve`",
      ] as const,
    ]),
  ),
  "tools.*.output": [list("{output: {}}"), "error config-no-effect `output`"],
  "tools.*.output.pick": [list("{output: {pick: []}}"), "error config-no-effect `output`"],
  "tools.*.output.drop": [
    list("{output: {pick: [id], drop: [name]}}"),
    "error config-no-effect `drop`",
  ],
  "tools.*.output.rename": [
    list("{output: {rename: {name: name}}}"),
    'error config-no-effect `rename` of "name"',
  ],
  "tools.*.output.fields": [
    list("{output: {fields: false}}"),
    "error config-no-effect `tools.list_pets.output.fields`",
  ],
  "tools.*.output.allowUndocumented": [
    list("{output: {allowUndocumented: true}}"),
    "error config-no-effect `output`",
  ],
  "tools.*.pagination": [
    list("{pagination: {}}"),
    "warning config-ineffective `tools.list_pets.pagination`",
  ],
  "tools.*.pagination.maxItems": [tool("{pagination: {maxItems: 5}}"), "error config-pagination"],
  "tools.*.approve": [tool("{approve: false}"), "error config-no-effect `tools.refresh.approve`"],
  "tools.*.approve.type": [
    list("{approve: {type: name}}"),
    "error config-no-effect `tools.list_pets.approve`",
  ],
  "tools.*.bulk": [tool("{bulk: true}"), "error config-no-effect `tools.refresh.bulk`"],
  "tools.*.job": [job("false"), "error config-no-effect `tools.refresh.job`"],
  "tools.*.includeLists": [
    tool("{includeLists: true}"),
    "error config-no-effect `tools.refresh.includeLists`",
  ],
  "tools.*.followPages": [
    tool("{followPages: true}"),
    "error config-no-effect `tools.refresh.followPages`",
  ],
  "tools.*.lookUpNames": [
    tool("{lookUpNames: true}"),
    "error config-no-effect `tools.refresh.lookUpNames`",
  ],
  "tools.*.errors": [tool("{errors: {}}"), "warning config-ineffective `tools.refresh.errors`"],
};

/** Reasons for which a key is never reported as without effect. */
const LIMIT = "a limit, which acts once it is reached";
const PINNED = "states a value, which later versions of the document then do not change";
const SWITCH = "turns something on for every server; `false` states the default";
const CHOICE = "chooses how the project is written; it may state the default";
const PART = "a part of a rule that is reported as a whole";
const SILENT: Readonly<Record<string, string>> = {
  version: "required",
  ...asReason("names a file or a folder", "spec", "output", "templates"),
  apis: "its keys are those of the top level",
  ...asReason("test/apis/plan.test.ts", "links", "links[].input", "links[].from", "links[].match"),
  ...asReason(CHOICE, "runtime", "images.node", "granularity"),
  ...asReason("test/render/deployment/deployment.test.ts", "images.caddy", "images.valkey"),
  ...asReason(PINNED, "namespace", "name", "baseUrl", "server.name", "server.title"),
  refRoot: "permits files, which a later version of the document may need",
  "server.instructions": PINNED,
  ...asReason(SWITCH, "server.rawRequests", "server.runSteps"),
  "server.headers.*.env": "always sent",
  ...asReason(LIMIT, "budget.tools", "budget.listTokens", "budget.resultTokens"),
  "budget.onExceed": LIMIT,
  "select.default": "decides about operations of later versions, too",
  ...asReason(PINNED, "tools.*.operation", "tools.*.workflow"),
  ...asReason(
    PART,
    "tools.*.merge[].operation",
    "tools.*.merge.*.operation",
    "tools.*.examples[].say",
    "tools.*.examples[].call",
  ),
  ...asReason(
    PINNED,
    "tools.*.title",
    "tools.*.description",
    "tools.*.useWhen",
    "tools.*.notFor",
    "tools.*.toolset",
    "tools.*.annotations.readOnlyHint",
    "tools.*.annotations.destructiveHint",
    "tools.*.annotations.idempotentHint",
    "tools.*.annotations.openWorldHint",
  ),
  "tools.*.inputs.only": "leaves out inputs of later versions, too",
  "tools.*.inputs.*.fixed": "always sent",
  ...asReason(
    PART,
    "tools.*.job.state",
    "tools.*.job.done",
    "tools.*.job.failed",
    "tools.*.job.id",
    "tools.*.job.follow",
  ),
  "tools.*.job.wait": LIMIT,
  "tools.*.hidden": "custom tools call it, which only the running code knows",
  "tools.*.timeoutMs": LIMIT,
};

function asReason(reason: string, ...keys: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key) => [key, reason]));
}

describe("every key where it changes nothing", () => {
  test("is reported, or is silent for a stated reason", () => {
    const rows = [...Object.keys(REPORTED), ...Object.keys(SILENT)];
    expect(rows.toSorted()).toEqual(schemaKeys.toSorted());
  });

  test.each(Object.entries(REPORTED))("%s", (_, [yaml, says]) => {
    const found = diagnosticsOf(yaml);
    expect(
      found.filter((one) => one.startsWith(says)),
      found.join("\n"),
    ).toHaveLength(1);
  });
});
