/** Shapes of all views as data, by which templates are checked. */
import type { Safe } from "../code/index.js";
import type { EscapedText, ProjectView, ToolSummary } from "./project.js";
import type { ReadmeView, ToolsFileView } from "./readme.js";
import type { SkillView } from "./skill.js";
import type {
  ApiView,
  ComposeView,
  ConstantView,
  ContractTestsView,
  ContractTestView,
  DockerView,
  BundlerView,
  EntryView,
  EnvironmentView,
  HeaderView,
  JsonFileView,
  KubernetesView,
  PackageView,
  SchemasView,
  ToolIndexView,
  ToolUnionView,
  ToolView,
  WorkerView,
  WorkflowToolView,
  WorkflowView,
} from "./views.js";

/**
 * The shape of a view as data, for checking templates independently of the document. A view prints
 * text, tests a flag, and repeats a list with the shape of its items. Every field of a view exists;
 * an absent value is `undefined` and prints nothing.
 */
export type Shape = "text" | "flag" | readonly [Shape] | { readonly [field: string]: Shape };

/** The shape of a view of type `View`. A plain `string` field has none. */
type ShapeOf<View> = [View] extends [Safe<string> | undefined]
  ? "text"
  : [View] extends [boolean]
    ? "flag"
    : View extends readonly (infer Item)[]
      ? readonly [ShapeOf<Item>]
      : View extends string
        ? never
        : { readonly [Field in keyof View]-?: ShapeOf<View[Field]> };

/** The view of each template, by the template's path. */
export interface Views {
  readonly "README.md": ReadmeView;
  readonly "SKILL.md": SkillView;
  readonly "TOOLS.md": ToolsFileView;
  readonly "package.json": PackageView;
  readonly "package-lock.json": PackageView;
  readonly ".npmrc": ConstantView;
  readonly ".gitattributes": ConstantView;
  readonly "server.json": JsonFileView;
  readonly "manifest.json": JsonFileView;
  readonly Dockerfile: DockerView;
  readonly "compose.yaml": ComposeView;
  readonly Caddyfile: ConstantView;
  readonly "kubernetes.yaml": KubernetesView;
  readonly "wrangler.jsonc": JsonFileView;
  readonly ".dockerignore": ConstantView;
  readonly ".mcpbignore": ConstantView;
  readonly "tsconfig.json": ConstantView;
  readonly "bundle.mjs": BundlerView;
  readonly ".env.example": EnvironmentView;
  readonly ".gitignore": ConstantView;
  readonly "src/main.ts": EntryView;
  readonly "src/index.ts": HeaderView;
  readonly "src/worker.ts": WorkerView;
  readonly "src/dev.ts": EntryView;
  readonly "src/api.ts": ApiView;
  readonly "src/apis/[api].ts": ApiView;
  readonly "src/schemas.ts": SchemasView;
  readonly "src/tools/index.ts": ToolIndexView;
  readonly "src/tools/[apis].ts": ToolUnionView;
  readonly "src/tools/[toolset]/[tool].ts": ToolView;
  readonly "src/tools/[toolset]/[workflow].ts": WorkflowToolView;
  readonly "src/workflows/[workflow].ts": WorkflowView;
  readonly "src/custom/index.ts": ConstantView;
  readonly "test/tools.test.ts": ContractTestView;
  readonly "test/[apis].test.ts": ContractTestsView;
  readonly "test/run.mjs": ConstantView;
}

const text = "text";

const packageShape = {
  name: text,
  version: text,
  description: text,
  bin: text,
  mcpName: text,
  isPrivate: "flag",
  usesJsonPath: "flag",
  usesOAuth: "flag",
  usesRedis: "flag",
  usesSignIn: "flag",
  eval: text,
  runtimeVersion: text,
} as const;

/** Fields of the views of engines that run several processes. */
const replicasShape = {
  header: text,
  name: text,
  images: { node: text, caddy: text, valkey: text },
  keptResultBytes: text,
  graceSeconds: text,
  isSingle: "flag",
  memory: { request: text, limit: text },
  usesStore: "flag",
  store: {
    name: text,
    image: text,
    url: text,
    variable: text,
    keyVariable: text,
    readyVariable: text,
    keyReference: text,
  },
  usesMetrics: "flag",
  metrics: { portVariable: text, hostVariable: text },
} as const;

const listedToolset = {
  title: text,
  description: text,
  toolCount: text,
  tools: [{ name: text, description: text }],
} as const;

/** Fields of the view of every tool. */
const toolDefinition = {
  header: text,
  schemaImports: text,
  identifier: text,
  inputType: text,
  input: text,
  outputType: text,
  output: text,
  name: text,
  title: text,
  description: text,
  annotations: text,
  inputSchema: text,
  outputSchema: text,
} as const;
/** Further fields of the view of every tool, in the order of the documentation. */
const toolMetadata = {
  hidden: text,
  fullDescription: text,
  fullInputDescriptions: text,
  toolset: text,
  effect: text,
  keywords: text,
  producers: text,
  onError: text,
  errorCodes: text,
  timeoutMs: text,
  approve: text,
  sends: text,
  asks: text,
  urls: text,
} as const;

const apiShape = {
  header: text,
  api: text,
  apis: [{ identifier: text, module: text }],
} as const;

const views: { readonly [Path in keyof Views]: ShapeOf<Views[Path]> } = {
  "README.md": {
    usesRuntimePackage: "flag",
    title: text,
    summary: text,
    source: text,
    packageName: text,
    toolCount: text,
    http: {
      token: text,
      issuer: text,
      publicUrl: text,
      scopes: text,
      allowedOrigins: text,
      forwardHeaders: text,
      tokenExchange: text,
      callerSignIn: text,
      allowUnauthenticated: text,
    },
    toolSelection: {
      hasDiscovery: "flag",
      usesDiscovery: "flag",
      listTokens: text,
      search: text,
      describe: text,
      callRead: text,
      call: text,
      listed: [{ name: text }],
      toolsets: [{ name: text }],
      toolsetsVariable: text,
      readOnlyVariable: text,
      toolsVariable: text,
      hybridVariable: text,
      discoveryVariable: text,
      listedVariable: text,
    },
    hasToolsFile: "flag",
    toolsets: [listedToolset],
    environment: [{ name: text, description: text, required: "flag", isAlternative: "flag" }],
    credentials: text,
    signInClient: text,
    hosts: {
      mcpServers: text,
      vscode: text,
      remote: text,
      shellName: text,
      tomlName: text,
      image: text,
    },
    deployment: {
      compose: "flag",
      kubernetes: "flag",
      isSingle: "flag",
      workers: "flag",
      name: text,
    },
  },
  "SKILL.md": {
    name: text,
    description: text,
    title: text,
    toolCount: text,
    words: text,
    starts: [{ name: text, description: text }],
    toolsets: [{ title: text, toolCount: text, tools: [{ name: text }], hasMore: "flag" }],
  },
  "TOOLS.md": { title: text, toolCount: text, toolsets: [listedToolset] },
  "package.json": packageShape,
  "package-lock.json": packageShape,
  ".npmrc": {},
  ".gitattributes": {},
  "server.json": { json: text },
  "manifest.json": { json: text },
  Dockerfile: {
    header: text,
    title: text,
    description: text,
    version: text,
    serverName: text,
    nodeImage: text,
    usesRedis: "flag",
  },
  "compose.yaml": replicasShape,
  Caddyfile: {},
  "kubernetes.yaml": {
    ...replicasShape,
    secrets: [{ name: text, isOptional: "flag" }],
    apiPorts: [{ port: text }],
  },
  "wrangler.jsonc": { json: text },
  ".dockerignore": {},
  ".mcpbignore": {},
  "tsconfig.json": {},
  "bundle.mjs": { serializesTools: "flag" },
  ".env.example": { header: text, variables: [{ comment: text, line: text }] },
  ".gitignore": {},
  "src/main.ts": { header: text, usesSignIn: "flag" },
  "src/index.ts": { header: text },
  "src/worker.ts": { header: text, hasStores: "flag" },
  "src/dev.ts": { header: text, usesSignIn: "flag" },
  "src/api.ts": apiShape,
  "src/apis/[api].ts": apiShape,
  "src/schemas.ts": {
    header: text,
    files: [{ module: text }],
    runtime: text,
    imports: text,
    schemas: [{ doc: text, type: text, identifier: text, schema: text }],
  },
  "src/tools/index.ts": {
    header: text,
    type: text,
    tools: [{ name: text, identifier: text, module: text }],
  },
  "src/tools/[apis].ts": {
    header: text,
    apis: [{ name: text, identifier: text, type: text, module: text }],
    hasWorkflows: "flag",
    types: text,
  },
  "src/tools/[toolset]/[tool].ts": {
    ...toolDefinition,
    operations: text,
    ...toolMetadata,
  },
  "src/tools/[toolset]/[workflow].ts": {
    ...toolDefinition,
    workflowImport: text,
    workflowModule: text,
    workflowInputs: text,
    response: text,
    resolve: text,
    ...toolMetadata,
  },
  "src/workflows/[workflow].ts": {
    header: text,
    imports: [{ names: text, module: text }],
    schemaImports: text,
    inputsType: text,
    outputsType: text,
    inputs: text,
    outputs: text,
    stepResults: [{ doc: text, declaration: text }],
    steps: text,
    doc: text,
    identifier: text,
    workflow: text,
    defineSteps: text,
    id: text,
    parameters: text,
    body: text,
  },
  "src/custom/index.ts": {},
  "test/run.mjs": {},
  "test/tools.test.ts": { header: text, envPrefix: text, credentials: text, otherApis: text },
  "test/[apis].test.ts": {
    header: text,
    apis: [
      {
        identifier: text,
        module: text,
        document: text,
        serverPrefix: text,
        envPrefix: text,
        credentials: text,
      },
    ],
    workflows: [{ envPrefix: text, credentials: text, otherApis: text }],
  },
};

/** The shapes of the views, by path of the template. */
export const shapes: ReadonlyMap<string, Shape> = new Map(Object.entries(views));

const escapedText: ShapeOf<EscapedText> = { literal: text, markdown: text, html: text };
const tool: ShapeOf<ToolSummary> = {
  name: text,
  identifier: text,
  module: text,
  title: escapedText,
  description: escapedText,
  readOnly: "flag",
  destructive: "flag",
  inputs: [{ name: text, description: escapedText, required: "flag" }],
  operations: [{ operation: escapedText }],
};

const project: ShapeOf<ProjectView> = {
  header: text,
  viewsVersion: text,
  title: escapedText,
  summary: escapedText,
  version: escapedText,
  source: escapedText,
  packageName: escapedText,
  envPrefix: text,
  tools: [tool],
  toolsets: [{ name: text, title: escapedText, tools: [tool] }],
  environment: [{ name: text, description: escapedText, required: "flag", secret: "flag" }],
};

/** The shape of the view of added files. */
export const projectShape: Shape = project;
