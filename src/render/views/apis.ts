/** Views of a server of several APIs: its definition, the union of its tools, and their tests. */
import type { ToolPlan } from "../../plan/types.js";
import {
  type Code,
  fileName,
  type FilePath,
  joinCode,
  literal,
  stringLiteral,
  ts,
  uniqueIdentifier,
} from "../code/index.js";
import { fileHeader } from "./schemas.js";
import { contractTestView, sampleEnvironment } from "./tools.js";
import type { ApiView, ContractTestsView, ToolUnionView } from "./views.js";

/** Names that the modules of a server declare or import. */
const reservedNames =
  "api apis tools Tools defineApi bindTools AnyTool workflowTools WorkflowTools".split(" ");

/** An API of a server of several, with the names that its modules have. */
export interface ApiModule {
  readonly name: string;
  readonly plan: ToolPlan;
  /** Name of its folder below `src/apis`. */
  readonly folder: FilePath;
  /** Constant of the API, and of its tools. */
  readonly identifier: Code;
}

/** Assigns each API a folder and a constant. Empty for a server of one API. */
export function assignApiModules({ apis = [] }: ToolPlan): readonly ApiModule[] {
  const used = new Set(reservedNames);
  return apis.map(({ name, plan }) => {
    const camelCase = name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    const identifier = uniqueIdentifier(camelCase, used);
    used.add(identifier);
    return { name, plan, folder: fileName(name), identifier };
  });
}

/** `src/api.ts` */
export function apiView(plan: ToolPlan, modules: readonly ApiModule[]): ApiView {
  const header = fileHeader(plan.source);
  if (modules.length === 0) return { header, api: literal(plan.api), apis: [] };
  const constants = new Map<object, Code>(
    modules.map((module) => [module.plan.api, module.identifier]),
  );
  return {
    header,
    api: literal(plan.api, 0, 0, (value) => constants.get(value)),
    apis: modules.map(({ identifier, folder }) => ({
      identifier,
      module: stringLiteral(`./apis/${folder}/api.js`),
    })),
  };
}

/** `src/tools/index.ts` of a server of several APIs */
export function toolUnionView(plan: ToolPlan, modules: readonly ApiModule[]): ToolUnionView {
  const apis = modules.map(({ name, folder, identifier }) => ({
    name: stringLiteral(name),
    identifier,
    type: typeName(identifier),
    module: stringLiteral(`../apis/${folder}/tools/index.js`),
  }));
  const own = plan.workflows ? [ts`WorkflowTools`] : [];
  return {
    header: fileHeader(plan.source),
    apis,
    hasWorkflows: own.length > 0,
    types: joinCode([...apis.map(({ type }) => type), ...own], ts` & `),
  };
}

/** `billing` → `BillingTools` */
function typeName(identifier: Code): Code {
  const pascalCase = identifier.charAt(0).toUpperCase() + identifier.slice(1);
  return uniqueIdentifier(`${pascalCase}Tools`, new Set());
}

/** Path of the file from which the mock of an API is made, below the project. */
export function mockPath({ folder }: ApiModule): string {
  return `test/apis/${folder}.json`;
}

/** `test/tools.test.ts` of a server of several APIs */
export function contractTestsView(
  plan: ToolPlan,
  modules: readonly ApiModule[],
): ContractTestsView {
  return {
    header: fileHeader(plan.source),
    workflows: plan.workflows ? [workflowTestsView(plan)] : [],
    apis: modules.map((module) => ({
      identifier: module.identifier,
      module: stringLiteral(`../src/apis/${module.folder}/tools/index.js`),
      document: stringLiteral(mockPath(module)),
      serverPrefix: stringLiteral(plan.api.envPrefix),
      envPrefix: stringLiteral(module.plan.api.envPrefix),
      credentials: literal(sampleEnvironment(module.plan), 2, 15),
    })),
  };
}

/** Tests of the workflows across APIs: one mock has the operations of all of them. */
function workflowTestsView(plan: ToolPlan): ContractTestsView["workflows"][number] {
  const { envPrefix, credentials, otherApis } = contractTestView(plan);
  return { envPrefix, credentials, otherApis: otherApis! };
}
