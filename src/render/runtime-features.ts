/** Selection of the runtime's files that a generated project can need. */
import type { ToolPlan } from "../plan/types.js";
import type { ApiDefinition } from "../runtime/api-definition.js";
import { estimateTokens } from "../runtime/data/tokens.js";
import { isShortened } from "../runtime/tools/full-description.js";
import { listedInputSchema } from "../runtime/tools/shown-definition.js";
import type { JsonSchema, OperationBinding, ToolDefinition } from "../runtime/types.js";
import type { RuntimeFeature } from "../configuration/types.js";
import type { RenderOptions } from "./types.js";
import { allTools } from "../plan/hidden-tools.js";
import { apisOf, hasPattern, mockedPlans, usesJsonPath, usesSignIn } from "./plan-facts.js";
import { type KeptFile, reachableCode } from "./reachable-code.js";
import type { RuntimeFile, RuntimeFiles } from "./runtime-scopes.js";
import { sendsOnlyScalars } from "./scalar-values.js";

/** A part of the runtime that some projects do not need. */
interface Part {
  /**
   * Modules below `src/runtime` through which the other modules reach it. Where it is left out, the
   * module `<name>.absent.ts` takes the place of `<name>.ts`. Files that only these modules import
   * need no mention.
   */
  readonly seams: readonly string[];
  /** True if the API or the configuration needs it. Settings of a running server do not count. */
  readonly isNeeded: (plan: ToolPlan, options: RenderOptions) => boolean;
}

/** True if a condition holds, and for raw requests, which may be any. */
function orRaw(test: Part["isNeeded"]): Part["isNeeded"] {
  return (plan, options) => hasFeature("raw-requests", plan, options) || test(plan, options);
}

/** Tools that every host takes. `init` lists fewer for hosts that do not take all of a project. */
const HOST_TOOLS = 80;

/** True for a project with configurations of engines that run several processes of Node. */
function runsReplicas(_: ToolPlan, { deploy = [] }: RenderOptions): boolean {
  return deploy.some((engine) => engine !== "workers");
}

/** Parts that settings of a server may ask for, so that the options can add them. */
const features: Readonly<Record<RuntimeFeature, Part>> = {
  approvals: {
    seams: [
      "approvals/approval-gate",
      "approvals/state",
      "call/ask-for-inputs",
      "call/before-write",
      "protocol/approval",
    ],
    isNeeded: (plan) =>
      apisOf(plan).some(({ approve }) => approve !== undefined) ||
      allTools(plan).some(({ definition: { approve, asks } }) => approve || asks),
  },
  cluster: {
    seams: ["cluster/index"],
    isNeeded: () => false,
  },
  discovery: {
    seams: ["discovery/listing", "discovery/rank-tools", "tools/listing"],
    isNeeded: ({ api, tools }) => api.listBudget !== undefined || tools.length > HOST_TOOLS,
  },
  "dry-run": {
    seams: ["approvals/dry-run"],
    isNeeded: () => false,
  },
  files: {
    seams: ["files/files", "response/save-file", "server/files-folder"],
    isNeeded: (plan) => mockedPlans(plan).some(mayHaveFile),
  },
  metrics: {
    seams: ["server/metrics", "transport/http/serve-metrics"],
    isNeeded: runsReplicas,
  },
  oauth: {
    seams: [
      "transport/http/caller-credentials",
      "transport/http/guard",
      "transport/http/oauth-resource-server",
      "transport/http/oauth-settings",
      "tools/selection",
    ],
    isNeeded: (_, { deploy = [] }) => deploy.length > 0,
  },
  prompts: {
    seams: ["protocol/custom-content", "tools/custom-content"],
    isNeeded: ({ hasCustomContent = false }) => hasCustomContent,
  },
  "raw-requests": {
    seams: ["tools/send-request", "request/raw-request"],
    isNeeded: (plan) => apisOf(plan).some(({ rawRequests }) => rawRequests),
  },
  steps: {
    seams: ["tools/run-steps"],
    isNeeded: ({ api }) => api.runSteps !== undefined,
  },
  stores: {
    seams: ["store/open", "store/worker-store", "client/shared-rate-limiter"],
    isNeeded: (_, { deploy = [] }) => deploy.length > 0,
  },
  telemetry: {
    seams: ["server/open-telemetry"],
    isNeeded: runsReplicas,
  },
};

/** True if a project has a feature. The package has all. */
export function hasFeature(name: RuntimeFeature, plan: ToolPlan, options: RenderOptions): boolean {
  const { runtime, features: named = [] } = options;
  const isNamed = runtime === "package" || named.includes("all") || named.includes(name);
  return isNamed || features[name].isNeeded(plan, options);
}

/** True if credentials of an API are access tokens that the server may request. */
function hasOAuthScheme({ securitySchemes }: ApiDefinition): boolean {
  return Object.values(securitySchemes).some(({ kind }) => kind === "oauth2");
}

/** True if a tool satisfies a condition. Workflows have requests of their own. */
const someTool =
  (test: (definition: ToolDefinition) => boolean) =>
  (plan: ToolPlan): boolean =>
    plan.workflows !== undefined || allTools(plan).some(({ definition }) => test(definition));

/** True if an operation of a tool satisfies a condition. */
const someOperation = (test: (operation: OperationBinding) => unknown) =>
  someTool(({ operations }) => operations.some((one) => Boolean(test(one))));

/** Methods whose operations may take a body that their documentation lacks. */
const TAKES_BODY = /^(?:POST|PUT|PATCH)$/;

/** True if the result of a tool may have a list: one without a list is documented. */
function mayReturnList({ outputSchema, operations, urls }: ToolDefinition): boolean {
  const hasPages = operations.some(({ pagination }) => pagination !== undefined);
  return (
    hasPages || !outputSchema || /"(?:array|items)"/.test(JSON.stringify([outputSchema, urls]))
  );
}

/** True for a request with values that the environment gives, or with defaults of inputs. */
const hasGivenValue = (request: OperationBinding["request"]): boolean =>
  /"(?:default|defaultEnv|env)":/.test(JSON.stringify(request));

/** True for an operation that serves some inputs only. */
const someCondition = (operations: readonly OperationBinding[]): boolean =>
  operations.some(
    ({ whenProvided, choice, included }) => whenProvided.length > 0 || choice || included,
  );

/** Media types of sequences of values, and ranges, which may stand for them. */
const MAY_BE_SEQUENCE = /\*|event-stream|json-?lines?|ndjson|jsonl|json-seq/i;

/** True if a request may have a body, or a part of one, of a media type that matches, or of any. */
const mayHaveContent = (pattern: RegExp): Part["isNeeded"] =>
  orRaw(someOperation(({ request }) => pattern.test(JSON.stringify(request.body ?? {}))));

/** True if a body or a response has a media type whose content may be a file. */
const mayHaveFile = ({ mock }: ToolPlan): boolean =>
  mock.operations.some(({ body, responses }) =>
    [body, ...responses].some((one) =>
      one?.contents.some(({ mediaType }) => !NO_FILE.test(mediaType)),
    ),
  );

/** Media types of values that are written as text. */
const NO_FILE = /json|xml|event-stream|urlencoded|^text\/(?:plain|html|xml)/i;

/** True if an operation documents 402, or a group of statuses that has it. */
const mayDemandPayment = ({ mock }: ToolPlan): boolean =>
  mock.operations.some(({ responses }) =>
    responses.some(({ status }) => /^(?:402|4XX|default)$/i.test(status)),
  );

/** Tokens that a server spends on its toolsets, see `tools/describe-toolsets.ts`. */
const TOOLSETS_TOKENS = 250;

/** All words that the sentence about toolsets may have of a tool, and more. */
const namesOf = ({ definition: { name, toolset = "" } }: ToolPlan["tools"][number]): string =>
  `${toolset} ${name},`;

/** True if a schema has an object that may have other fields than those that it declares. */
function hasOpenObject(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, properties, additionalProperties } = schema as JsonSchema;
  const isObject = properties !== undefined || [type].flat().includes("object");
  return (isObject && additionalProperties !== false) || Object.values(schema).some(hasOpenObject);
}

/** Parts that only tools ask for. */
const toolParts: Readonly<Record<string, Part>> = {
  bodies: {
    seams: [
      "call/empty-body",
      "call/given-values",
      "errors/body-advice",
      "errors/demands",
      "request/bind-body",
      "tools/unwrap-body",
    ],
    isNeeded: orRaw(
      someOperation(({ request }) => request.body ?? TAKES_BODY.test(request.method)),
    ),
  },
  corrections: {
    seams: ["tools/corrections", "tools/doubtful-input"],
    isNeeded: (plan, options) =>
      ["bodies", "query"].some((part) => toolParts[part]!.isNeeded(plan, options)),
  },
  clientCertificates: {
    seams: ["auth/client-certificate"],
    isNeeded: (plan) =>
      apisOf(plan).some(({ securitySchemes }) =>
        Object.values(securitySchemes).some(({ kind }) => kind === "mutualTLS"),
      ),
  },
  multipart: {
    seams: ["request/body/multipart"],
    isNeeded: mayHaveContent(/"multipart\/|\*\//),
  },
  xml: {
    seams: ["request/body/xml"],
    isNeeded: mayHaveContent(/xml|\*\//i),
  },
  bytes: {
    seams: ["tools/text-inputs"],
    isNeeded: someTool(({ inputSchema }) => /"(?:byte|base64)"/.test(JSON.stringify(inputSchema))),
  },
  composites: {
    seams: ["request/styles"],
    isNeeded: orRaw(someTool((definition) => !sendsOnlyScalars(definition))),
  },
  gates: {
    seams: ["approvals/write-gate", "call/call-gate", "call/pass-gate"],
    isNeeded: (plan, options) =>
      hasFeature("approvals", plan, options) || hasFeature("dry-run", plan, options),
  },
  headers: {
    seams: ["request/headers"],
    isNeeded: orRaw(
      (plan) =>
        apisOf(plan).some(({ headers }) => headers !== undefined) ||
        someOperation(({ request: { headers, cookies } }) => headers ?? cookies)(plan),
    ),
  },
  cookies: {
    seams: ["request/cookies"],
    isNeeded: orRaw(someOperation(({ request }) => request.cookies)),
  },
  formObjects: {
    seams: ["call/form-objects"],
    isNeeded: someTool(
      (definition) =>
        definition.operations.some(({ request: { body } }) =>
          /multipart|urlencoded/.test(body?.contentType ?? ""),
        ) && !sendsOnlyScalars(definition),
    ),
  },
  queryForms: {
    seams: ["call/query-form"],
    isNeeded: someTool(
      (definition) =>
        definition.operations.some(({ request }) => request.method === "GET" && request.query) &&
        !sendsOnlyScalars(definition),
    ),
  },
  lists: {
    seams: [
      "pagination/list-notes",
      "pagination/next-page",
      "pagination/page-memory",
      "pagination/possible-rest",
      "response/value-counts",
    ],
    isNeeded: orRaw(someTool(mayReturnList)),
  },
  followedPages: {
    seams: ["pagination/follow-pages"],
    isNeeded: someOperation(({ pagination, itemNames, resolve }) =>
      /"(?:maxItems|isFollowed)":/.test(JSON.stringify([pagination, itemNames, resolve])),
    ),
  },
  members: {
    seams: [
      "server/api-contexts",
      "server/members",
      "tools/describe-apis",
      "transport/http/member-settings",
    ],
    isNeeded: ({ api, workflows }) => api.apis !== undefined || workflows !== undefined,
  },
  narrowing: {
    seams: ["response/notes"],
    isNeeded: (plan, options) =>
      toolParts["lists"]!.isNeeded(plan, options) || toolParts["query"]!.isNeeded(plan, options),
  },
  openInputs: {
    seams: ["tools/undocumented-inputs"],
    isNeeded: (plan, options) =>
      toolParts["bodies"]!.isNeeded(plan, options) ||
      someTool(({ inputSchema }) => hasOpenObject(inputSchema))(plan),
  },
  patterns: {
    seams: ["schema/bounded-regexp"],
    isNeeded: someTool(({ inputSchema, outputSchema }) => hasPattern([inputSchema, outputSchema])),
  },
  payments: {
    seams: ["errors/payment-page", "protocol/payment"],
    isNeeded: orRaw(
      (plan) => plan.workflows !== undefined || mockedPlans(plan).some(mayDemandPayment),
    ),
  },
  repetitions: {
    seams: ["tools/shown-definition"],
    isNeeded: someTool(({ inputSchema }) => listedInputSchema(inputSchema) !== inputSchema),
  },
  selection: {
    seams: ["call/other-query", "call/select-operation"],
    isNeeded: someTool(({ operations }) => operations.length !== 1 || someCondition(operations)),
  },
  securitySchemes: {
    seams: [
      "auth/authenticate",
      "auth/requirements",
      "auth/schemes",
      "errors/credential-advice",
      "security-schemes",
    ],
    isNeeded: (plan) =>
      apisOf(plan).some(({ securitySchemes }) => Object.keys(securitySchemes).length > 0),
  },
  sequences: {
    seams: ["response/sequences"],
    isNeeded: orRaw(
      someOperation(({ request: { accept = [] } }) =>
        accept.some((mediaType) => MAY_BE_SEQUENCE.test(mediaType)),
      ),
    ),
  },
  documentation: {
    seams: ["tools/read-documentation"],
    isNeeded: (plan) => apisOf(plan).some(({ documentation }) => documentation !== undefined),
  },
  wholeTexts: {
    seams: ["discovery/describe-listed"],
    isNeeded: (plan) => allTools(plan).some(({ definition }) => isShortened(definition)),
  },
  writes: {
    seams: ["call/effects", "call/record-effect"],
    isNeeded: orRaw(someTool(({ annotations }) => !annotations.readOnlyHint)),
  },
  fieldSelection: {
    seams: ["call/select-fields"],
    isNeeded: someOperation(({ response }) => response.fields),
  },
  innerFields: {
    seams: ["request/inner-fields"],
    isNeeded: someOperation(({ request }) => request.body?.innerFields),
  },
  accessTokens: {
    seams: ["auth/scopes", "auth/tokens"],
    isNeeded: (plan, options) =>
      apisOf(plan).some(hasOAuthScheme) || hasFeature("oauth", plan, options),
  },
  signIn: {
    seams: [
      "auth/signed-in",
      "commands/sign-in",
      "protocol/consent",
      "transport/stdio/local-consent",
    ],
    isNeeded: usesSignIn,
  },
  jobs: {
    seams: ["call/wait-for-job", "protocol/tasks", "tasks/task-ids"],
    isNeeded: someOperation(({ job, jobLocation }) => job ?? jobLocation),
  },
  lookUps: {
    seams: ["call/look-up-names", "call/names-in-ids"],
    isNeeded: someOperation(({ lookUps }) => lookUps),
  },
  resolvedNames: {
    seams: ["call/resolve-names"],
    isNeeded: someOperation(({ resolve }) => resolve),
  },
  tokens: {
    seams: ["data/tokens"],
    isNeeded: (plan, options) =>
      plan.workflows !== undefined ||
      toolParts["repetitions"]!.isNeeded(plan, options) ||
      estimateTokens(allTools(plan).map(namesOf).join(" ")) > TOOLSETS_TOKENS,
  },
  toolsets: {
    seams: ["tools/describe-toolsets"],
    isNeeded: (plan) =>
      plan.workflows !== undefined ||
      new Set(allTools(plan).map(({ definition: { toolset } }) => toolset)).size > 1,
  },
  urlInputs: {
    seams: ["call/read-urls"],
    isNeeded: (plan) => allTools(plan).some(({ definition }) => definition.urls !== undefined),
  },
  consents: {
    seams: ["auth/consent-types", "auth/sign-in-module"],
    isNeeded: (plan, options) => usesSignIn(plan) || hasFeature("oauth", plan, options),
  },
  contents: {
    seams: ["request/serialize-content"],
    isNeeded: (plan, options) =>
      ["bodies", "queryContents"].some((part) => toolParts[part]!.isNeeded(plan, options)) ||
      someOperation(({ request }) => JSON.stringify(request).includes('"contentType":'))(plan),
  },
  parts: {
    seams: ["response/project"],
    isNeeded: (plan, options) =>
      // A look-up reads the list of a response that is a whole result of its tool.
      ["projections", "lookUps", "resolvedNames"].some((part) =>
        toolParts[part]!.isNeeded(plan, options),
      ) ||
      someOperation(
        ({ pagination, response: { wrap, items, item, next, extraFields } }) =>
          pagination ?? wrap ?? items ?? item ?? next ?? extraFields,
      )(plan),
  },
  projections: {
    seams: ["response/projection"],
    isNeeded: someOperation(({ response: { fields, projection } }) => fields ?? projection),
  },
  defaults: {
    seams: ["request/parameter-source"],
    isNeeded: (plan) =>
      apisOf(plan).some(({ headers }) => headers !== undefined) ||
      someOperation(({ request }) => hasGivenValue(request))(plan),
  },
  countOnly: {
    seams: ["call/count-only"],
    isNeeded: someOperation(({ countOnly }) => countOnly),
  },
  demandedForms: {
    seams: ["call/as-demanded"],
    isNeeded: (plan, options) =>
      ["query", "bodies"].some((part) => toolParts[part]!.isNeeded(plan, options)),
  },
  meanings: {
    seams: ["errors/documented-status"],
    isNeeded: (plan) =>
      apisOf(plan).some(({ errorCodes }) => errorCodes) ||
      someTool(
        ({ errorCodes, operations }) =>
          errorCodes !== undefined || operations.some(({ statuses }) => statuses),
      )(plan),
  },
  numbers: {
    seams: ["tools/number-inputs"],
    isNeeded: orRaw(
      someTool(({ inputSchema }) => /"(?:integer|number)"/.test(JSON.stringify(inputSchema))),
    ),
  },
  otherTools: {
    seams: ["errors/other-tools"],
    isNeeded: (plan, options) =>
      ["selection", "writes"].some((part) => toolParts[part]!.isNeeded(plan, options)) ||
      someTool(({ producers }) => producers !== undefined)(plan),
  },
  query: {
    seams: ["errors/single-item", "request/query"],
    isNeeded: orRaw(someOperation(({ request: { query, querystring } }) => query ?? querystring)),
  },
  pinnedNames: {
    seams: ["request/pinned-names"],
    isNeeded: (plan, options) =>
      ["query", "headers", "bodies"].some((part) => toolParts[part]!.isNeeded(plan, options)),
  },
  queryContents: {
    seams: ["request/query-contents"],
    isNeeded: orRaw(
      someOperation(
        ({ request: { query, querystring } }) =>
          querystring ?? JSON.stringify(query ?? {}).includes('"contentType":'),
      ),
    ),
  },
  readBack: {
    seams: ["call/read-back"],
    isNeeded: someOperation(({ readBack }) => readBack),
  },
  includedLists: {
    seams: ["call/included-lists"],
    isNeeded: someOperation(({ included }) => included),
  },
  severalIds: {
    seams: ["call/several-ids"],
    isNeeded: someOperation(({ severalIds, included }) => severalIds ?? included),
  },
};

/** Modules of the runtime that files of a project import, with the condition of some of them. */
const entryModules: Readonly<Record<string, Part["isNeeded"]>> = {
  "index.ts": () => true,
  "serve.ts": () => true,
  // A bundle has the index of the search, and the many tools that it searches as text.
  "bundle.ts": (plan, options) => hasFeature("discovery", plan, options),
  "dev/index.ts": () => true,
  "server/sdk-shims.ts": () => true,
  "node.ts": () => true,
  "client/undici-modules.d.ts": () => true,
  "auth/sign-in/index.ts": usesSignIn,
  "workflow/index.ts": ({ workflows }) => workflows !== undefined,
  "workflow/json-path.ts": ({ workflows }) => workflows !== undefined && usesJsonPath(workflows),
};

/** Paths of these modules. */
export const entryPaths: readonly string[] = Object.keys(entryModules);

/** Tests whether generated files import a module of the runtime, by its path below `src/runtime`. */
export function isEntryModule(path: string, plan: ToolPlan, options: RenderOptions): boolean {
  return entryModules[path]?.(plan, options) === true;
}

/** Seams of the parts that a project does not have: nothing needs them, and no option names them. */
function seamsLeftOut(plan: ToolPlan, options: RenderOptions): readonly string[] {
  const named = new Set<string>(options.features);
  const absent = Object.entries({ ...toolParts, ...features }).filter(
    ([name, part]) => !named.has(name) && !part.isNeeded(plan, options),
  );
  return absent.flatMap(([, { seams }]) => seams);
}

type Selection = ReadonlyMap<string, KeptFile>;

/** Selections by what they depend on. Projects of a process have few of them. */
const selections = new WeakMap<RuntimeFiles, Map<string, Selection>>();

/**
 * Selects what a project has of the files of the runtime: the declarations that its own files use,
 * directly or through others. With all features, it has whole files.
 */
export function selectRuntimeFiles(
  runtime: RuntimeFiles,
  plan: ToolPlan,
  options: RenderOptions,
): Selection {
  const entries = entryPaths.filter((path) => isEntryModule(path, plan, options));
  const keepsFiles = options.features?.includes("all") === true;
  const seams = keepsFiles ? [] : seamsLeftOut(plan, options);
  const known = selections.get(runtime) ?? new Map<string, Selection>();
  selections.set(runtime, known);
  const key = [keepsFiles, ...entries, ...seams].join("\n");
  const replaced = new Set(seams.map((seam) => `${seam}.ts`));
  const find = (path: string): RuntimeFile | undefined =>
    (replaced.has(path) ? runtime.standIns : runtime.files).get(path);
  const selected = known.get(key) ?? reachableCode(find, entries, { keepsFiles });
  known.set(key, selected);
  return selected;
}
