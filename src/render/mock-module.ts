/** `test/mock.ts`: what a project can need of the modules of `src/mock`, as one module. */
import type { JsonSchema } from "../json.js";
import type { Content, Operation } from "../model/types.js";
import type { ToolPlan } from "../plan/types.js";
import type { ToolDefinition } from "../runtime/types.js";
import { ImportList } from "./import-list.js";
import { mockStates } from "./mock-files.js";
import { hasKeyword, hasPattern, mockedPlans } from "./plan-facts.js";
import {
  type KeptFile,
  keptBody,
  keptComment,
  keptImports,
  reachableCode,
} from "./reachable-code.js";
import { inDependencyOrder, section } from "./runtime-modules.js";
import type { RuntimeFiles } from "./runtime-scopes.js";
import { takesOnlyScalars } from "./scalar-values.js";
import type { GeneratedFile, RenderOptions } from "./types.js";

/** Modules of `src/mock` that tests import. Their exports are those of the joined module. */
const entryModules = ["index.ts", "contract.ts"];

const banner = `// A mock of the API and the contract tests of this server, for test/tools.test.ts.
// One file generated from src/mock of mcp-gen (https://www.npmjs.com/package/mcp-gen), which does
// not depend on src/runtime: the mock checks the requests of the runtime independently. Do not
// edit: mcp-gen replaces this file. Put your own tests next to it.
`;

/** Modules of the mock that some APIs do not need, and the stand-ins of which take their place. */
interface MockPart {
  readonly seams: readonly string[];
  readonly isNeeded: (api: MockedApi) => boolean;
}

type MockedApi = Pick<ToolPlan, "mock" | "tools" | "workflows">;

/** True if an operation of the mocked API satisfies a condition. */
const someOperation =
  (test: (operation: Operation) => unknown) =>
  ({ mock }: MockedApi): boolean =>
    mock.operations.some((operation) => Boolean(test(operation)));

const bodiesOf = ({ body }: Operation): readonly Content[] => body?.contents ?? [];

const responsesOf = ({ responses }: Operation): readonly Content[] =>
  responses.flatMap(({ contents }) => contents);

/** True for a media type that matches, and for a range, which may stand for it. */
const isOf =
  (pattern: RegExp) =>
  (mediaType: string): boolean =>
    pattern.test(mediaType) || mediaType.includes("*");

const isMultipart = isOf(/^multipart\//);
const isForm = isOf(/^multipart\/|x-www-form-urlencoded/);
const isSequence = isOf(/event-stream|ndjson|jsonl|json-seq/);
const isXml = isOf(/[/+]xml$/);
const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType);

/** True if a schema that is sampled has a keyword that matches. */
const someSchema =
  (keyword: RegExp) =>
  ({ mock, tools, workflows }: MockedApi): boolean =>
    workflows !== undefined ||
    hasKeyword([mock.schemas, mock.operations], keyword) ||
    tools.some(({ definition: { inputSchema, outputSchema } }) =>
      hasKeyword([inputSchema, outputSchema], keyword),
    );

/** Keywords with which the example of a schema is not always the sample of a string. */
const CHANGES_EXAMPLES = /^(?:allOf|patternProperties)$/;

/**
 * True if a string with a pattern is sampled without an example of its own. The model leaves out
 * patterns that examples do not match.
 */
function samplesPattern({ mock, tools, workflows }: MockedApi): boolean {
  const documented = [mock.schemas, mock.operations];
  return (
    workflows !== undefined ||
    (hasPattern(documented) &&
      (hasKeyword(documented, CHANGES_EXAMPLES) || lacksExample(documented))) ||
    tools.some(({ definition }) => hasPattern(undocumentedInputs(definition)))
  );
}

/** True if a string has a pattern and no example, or if a list needs different items. */
function lacksExample(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { pattern, examples, uniqueItems, minItems = 0 } = value as JsonSchema;
  const [example = ""] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  return (
    (typeof pattern === "string" && (typeof example !== "string" || example === "")) ||
    (uniqueItems === true && Number(minItems) > 1) ||
    Object.values(value).some(lacksExample)
  );
}

/** Schemas of the required inputs that no parameter and no field of a request takes. */
function undocumentedInputs({ inputSchema, operations }: ToolDefinition): readonly unknown[] {
  const { properties = {}, required = [], $defs } = inputSchema as JsonSchema;
  const requests = JSON.stringify(operations.map(({ request }) => request));
  const names = (required as readonly string[]).filter(
    (name) => !requests.includes(JSON.stringify(name)),
  );
  return names.length === 0 ? [] : [$defs, names.map((name) => properties[name])];
}

const parts: readonly MockPart[] = [
  {
    seams: ["body", "body-inputs"],
    isNeeded: someOperation(({ body }) => body),
  },
  {
    seams: ["deserialize"],
    isNeeded: (api) => {
      const named = new Map(Object.entries(api.mock.schemas));
      return someOperation(
        (operation) =>
          bodiesOf(operation).some(({ mediaType }) => isForm(mediaType)) ||
          !takesOnlyScalars(operation, named),
      )(api);
    },
  },
  {
    seams: ["deep-object"],
    isNeeded: someOperation(({ parameters, body }) =>
      /"deepObject"/.test(JSON.stringify([parameters, body])),
    ),
  },
  {
    seams: ["form"],
    isNeeded: someOperation(
      (operation) =>
        bodiesOf(operation).some(({ mediaType }) => isForm(mediaType)) ||
        operation.parameters.some(({ contentType = "" }) => isForm(contentType)),
    ),
  },
  {
    seams: ["multipart"],
    isNeeded: someOperation((operation) =>
      bodiesOf(operation).some(({ mediaType }) => isMultipart(mediaType)),
    ),
  },
  {
    seams: ["parameters", "parameter-inputs"],
    isNeeded: someOperation(({ parameters }) => parameters.length > 0),
  },
  {
    seams: ["response-formats"],
    isNeeded: someOperation((operation) =>
      responsesOf(operation).some(({ mediaType }) => !isJson(mediaType)),
    ),
  },
  {
    seams: ["response-sequences"],
    isNeeded: someOperation((operation) =>
      responsesOf(operation).some(({ mediaType }) => isSequence(mediaType)),
    ),
  },
  { seams: ["merge-schemas"], isNeeded: someSchema(/^(?:allOf|anyOf|oneOf)$/) },
  {
    seams: ["sample-pattern"],
    isNeeded: samplesPattern,
  },
  {
    seams: ["time-limit"],
    isNeeded: someSchema(/^pattern(?:Properties)?$/),
  },
  {
    seams: ["search"],
    isNeeded: someOperation(
      ({ method, parameters }) => method === "GET" && parameters.some((one) => one.in !== "path"),
    ),
  },
  {
    seams: ["security"],
    isNeeded: ({ mock }) => Object.keys(mock.securitySchemes).length > 0,
  },
  { seams: ["contract"], isNeeded: ({ workflows }) => workflows !== undefined },
  { seams: ["states"], isNeeded: ({ tools }) => mockStates(tools).length > 0 },
  {
    seams: ["xml"],
    isNeeded: someOperation((operation) =>
      [...bodiesOf(operation), ...responsesOf(operation)].some(({ mediaType }) => isXml(mediaType)),
    ),
  },
];

/**
 * `test/mock.ts` of a project. Types stay, so that tests of the project are type-checked against
 * it; no two modules declare the same name. With all features, it has whole modules.
 */
export function mockModule(
  { files, standIns }: RuntimeFiles,
  plan: ToolPlan,
  { features = [] }: RenderOptions,
): GeneratedFile {
  const keepsFiles = features.includes("all");
  const apis = mockedPlans(plan);
  const absent = keepsFiles ? [] : parts.filter(({ isNeeded }) => !apis.some(isNeeded));
  const replaced = new Set(absent.flatMap(({ seams }) => seams.map((seam) => `${seam}.ts`)));
  const find = (path: string) => (replaced.has(path) ? standIns : files).get(path);
  const kept = reachableCode(find, entryModules, { keepsFiles });
  return { path: "test/mock.ts", content: joinedText([...inDependencyOrder(kept)]) };
}

function joinedText(files: readonly KeptFile[]): string {
  const imports = new ImportList();
  for (const file of files)
    for (const one of keptImports(file)) if (one.path === undefined) imports.add(one);
  const exported = exportedNames(files);
  const sections = files.map((file) =>
    section({
      path: `src/mock/${file.path}`,
      comment: keptComment(file),
      body: moduleBody(file, exported),
    }),
  );
  return [banner, imports.toString(), ...sections].filter((text) => text !== "").join("\n");
}

const exportedDeclaration =
  /^export ((?:async )?(?:function|class|const|interface|type) ([\w$]+))/gm;

/** Names that an entry module declares or exports from another module. */
function exportedNames(files: readonly KeptFile[]): ReadonlySet<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const names = new Set<string>();
  const addDeclared = (file: KeptFile | undefined): void => {
    for (const [, , name = ""] of file ? keptBody(file).matchAll(exportedDeclaration) : [])
      names.add(name);
  };
  for (const path of entryModules) {
    const file = byPath.get(path);
    addDeclared(file);
    for (const { keyword, local, path: from = "" } of file?.scope.imports ?? []) {
      if (keyword !== "export") continue;
      if (local === "*") addDeclared(byPath.get(from));
      else names.add(local);
    }
  }
  return names;
}

/** The kept declarations of a module, without `export` where the name is internal. */
function moduleBody(file: KeptFile, exported: ReadonlySet<string>): string {
  return keptBody(file).replace(
    exportedDeclaration,
    (statement, declaration: string, name: string) =>
      exported.has(name) ? statement : declaration,
  );
}
