import type { Shape, ShapeOf } from "../templates/shape.js";
import type {
  ApiView,
  CatalogueView,
  ConstantView,
  ContractTestView,
  DockerView,
  EnvView,
  HeaderView,
  JsonView,
  PackageView,
  ProjectView,
  ReadmeView,
  SchemasView,
  ToolSummary,
  ToolView,
  Wording,
} from "./views.js";
import type { WorkflowToolView, WorkflowView } from "./workflow-views.js";

/** The view of each template, by the template's path. */
export interface Views {
  readonly "README.md": ReadmeView;
  readonly "package.json": PackageView;
  readonly "package-lock.json": PackageView;
  readonly ".npmrc": ConstantView;
  readonly "server.json": JsonView;
  readonly "manifest.json": JsonView;
  readonly Dockerfile: DockerView;
  readonly ".dockerignore": ConstantView;
  readonly ".mcpbignore": ConstantView;
  readonly "tsconfig.json": ConstantView;
  readonly "bundle.mjs": ConstantView;
  readonly ".env.example": EnvView;
  readonly ".gitignore": ConstantView;
  readonly "src/main.ts": HeaderView;
  readonly "src/worker.ts": HeaderView;
  readonly "src/dev.ts": HeaderView;
  readonly "src/api.ts": ApiView;
  readonly "src/apis/[api].ts": ApiView;
  readonly "src/schemas.ts": SchemasView;
  readonly "src/tools/index.ts": CatalogueView;
  readonly "src/tools/[toolset]/[tool].ts": ToolView;
  readonly "src/tools/[toolset]/[workflow].ts": WorkflowToolView;
  readonly "src/workflows/[workflow].ts": WorkflowView;
  readonly "src/custom/index.ts": ConstantView;
  readonly "test/tools.test.ts": ContractTestView;
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
  jsonPath: "flag",
} as const;

const views: { readonly [Path in keyof Views]: ShapeOf<Views[Path]> } = {
  "README.md": {
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
      origins: text,
      forward: text,
      open: text,
    },
    offer: {
      discovery: "flag",
      listTokens: text,
      search: text,
      describe: text,
      call: text,
      toolsets: [{ name: text }],
      toolsetsVariable: text,
      readOnlyVariable: text,
      toolsVariable: text,
      discoveryVariable: text,
    },
    toolsets: [{ title: text, description: text, tools: [{ name: text, what: text }] }],
    environment: [{ name: text, what: text, required: "flag" }],
    hosts: {
      mcpServers: text,
      vscode: text,
      remote: text,
      shellName: text,
      tomlName: text,
      image: text,
      environment: [{ name: text, shell: text, toml: text }],
    },
  },
  "package.json": packageShape,
  "package-lock.json": packageShape,
  ".npmrc": {},
  "server.json": { json: text },
  "manifest.json": { json: text },
  Dockerfile: { header: text, title: text, description: text, version: text, serverName: text },
  ".dockerignore": {},
  ".mcpbignore": {},
  "tsconfig.json": {},
  "bundle.mjs": {},
  ".env.example": { header: text, variables: [{ comment: text, line: text }] },
  ".gitignore": {},
  "src/main.ts": { header: text },
  "src/worker.ts": { header: text },
  "src/dev.ts": { header: text },
  "src/api.ts": { header: text, api: text },
  "src/apis/[api].ts": { header: text, api: text },
  "src/schemas.ts": { header: text, types: [{ doc: text, declaration: text }] },
  "src/tools/index.ts": {
    header: text,
    type: text,
    tools: [{ name: text, identifier: text, module: text }],
  },
  "src/tools/[toolset]/[tool].ts": {
    header: text,
    imports: text,
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
    fingerprint: text,
    requests: text,
    toolset: text,
    producers: text,
    onError: text,
    timeoutMs: text,
  },
  "src/tools/[toolset]/[workflow].ts": {
    header: text,
    imports: text,
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
    fingerprint: text,
    workflow: text,
    module: text,
    given: text,
    read: text,
    resolve: text,
    toolset: text,
    producers: text,
    onError: text,
    timeoutMs: text,
  },
  "src/workflows/[workflow].ts": {
    header: text,
    imports: [{ names: text, module: text }],
    types: text,
    inputsType: text,
    outputsType: text,
    inputs: text,
    outputs: text,
    results: [{ doc: text, declaration: text }],
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
};

/** What each template may name, by the template's path. */
export const shapes: ReadonlyMap<string, Shape> = new Map(Object.entries(views));

const wording: ShapeOf<Wording> = { literal: text, markdown: text, html: text };
const tool: ShapeOf<ToolSummary> = {
  name: text,
  identifier: text,
  module: text,
  title: wording,
  description: wording,
  readOnly: "flag",
  destructive: "flag",
  inputs: [{ name: text, description: wording, required: "flag" }],
  operations: [{ operation: wording }],
};

const project: ShapeOf<ProjectView> = {
  header: text,
  viewsVersion: text,
  title: wording,
  summary: wording,
  version: wording,
  source: wording,
  packageName: wording,
  envPrefix: text,
  tools: [tool],
  toolsets: [{ name: text, title: wording, tools: [tool] }],
  environment: [{ name: text, description: wording, required: "flag", secret: "flag" }],
};

/** What files may name that people add. */
export const projectShape: Shape = project;
