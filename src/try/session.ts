import {
  type Mock,
  type MockApi,
  type MockOptions,
  type RecordedRequest,
  startMock,
} from "../mock/index.js";
import type { ToolPlan } from "../plan/index.js";
import type { GeneratedFile } from "../render/index.js";
import { sampleEnvironment } from "../render/views/tools.js";
import { startServer, type StdioClient } from "./client.js";
import { compileProject, prepareProject } from "./project.js";

/** A generated server that runs over stdio, with a mock of each of its APIs. */
export interface Session {
  readonly client: StdioClient;
  /** The requests that all mocks received. */
  readonly mock: Pick<Mock, "requests">;
  /** Base URL of the mock of an API; of the only one, without a name. */
  readonly urlOf: (api?: string) => string;
  /** An API as its mock serves it. */
  readonly apiOf: (api?: string) => MockApi;
  /** Ends everything, and removes the temporary folder. */
  readonly close: () => Promise<void>;
}

/** Options of a session. */
export interface SessionOptions {
  /** Replaces documented responses of the mocks. */
  readonly respond?: MockOptions["respond"];
  /** Content of `tools/list`. Default: every tool. */
  readonly mode?: "tools" | "hybrid" | "discovery";
}

interface MockedApi {
  readonly api: MockApi;
  readonly mock: Mock;
}

/** The mocks of a session by the names of their APIs; `undefined` is the name of the only one. */
type MockedApis = ReadonlyMap<string | undefined, MockedApi>;

/**
 * Starts a generated server in a temporary folder as a host does, with a mock of each of its APIs
 * that rejects undocumented requests.
 * @throws ServerExitedError when the server does not start
 */
export async function startSession(
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  { respond, mode = "tools" }: SessionOptions = {},
): Promise<Session> {
  const project = await prepareProject(await compileOnce(files));
  const removeAtExit = (): void => project.remove();
  process.once("exit", removeAtExit);
  const mocked = await startMocks(plan, files, respond);
  const end = async (client?: StdioClient): Promise<void> => {
    await client?.close();
    for (const { mock } of mocked.values()) await mock.close();
    project.remove();
    process.off("exit", removeAtExit);
  };
  try {
    const client = await startServer(project.main, environment(plan, mocked, mode));
    // A workflow across APIs has none.
    const of = (name?: string): MockedApi => mocked.get(name) ?? [...mocked.values()][0]!;
    return {
      client,
      mock: joinRequests(mocked),
      urlOf: (name) => of(name).mock.url,
      apiOf: (name) => of(name).api,
      close: () => end(client),
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Starts the mocks. The base path of one of several APIs is its name. */
async function startMocks(
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  respond: MockOptions["respond"],
): Promise<MockedApis> {
  const names = plan.apis?.map(({ name }) => name) ?? [undefined];
  const mocked = names.map(async (name) => {
    const api = mockApi(files, name);
    const basePath = `/${name ?? "api"}`;
    return [name, { api, mock: await startMock(api, { basePath, ...(respond && { respond }) }) }];
  });
  return new Map((await Promise.all(mocked)) as [string | undefined, MockedApi][]);
}

/** The requests of all mocks, in the order in which they are first read. */
function joinRequests(mocked: MockedApis): Session["mock"] {
  const seen = new Set<RecordedRequest>();
  return {
    get requests() {
      for (const { mock } of mocked.values()) for (const one of mock.requests) seen.add(one);
      return [...seen];
    },
  };
}

/** Compiled modules by the files of a project, which may have several sessions. */
const compiled = new WeakMap<readonly GeneratedFile[], ReturnType<typeof compileProject>>();

function compileOnce(files: readonly GeneratedFile[]): ReturnType<typeof compileProject> {
  const modules = compiled.get(files) ?? compileProject(files);
  compiled.set(files, modules);
  return modules;
}

/**
 * The API that the tests of a generated project mock.
 * @param api name of the API, in a server of several
 */
export function mockApi(files: readonly GeneratedFile[], api?: string): MockApi {
  const wanted = api === undefined ? "test/api.json" : `test/apis/${api}.json`;
  const text = files.find(({ path }) => path === wanted)?.content ?? "{}";
  return JSON.parse(text) as MockApi;
}

/** Environment of the server, without that of this process, which may contain credentials. */
function environment(
  plan: ToolPlan,
  mocked: MockedApis,
  mode: NonNullable<SessionOptions["mode"]>,
): Record<string, string> {
  const { envPrefix } = plan.api;
  const own = mocked.get(undefined)?.mock.url;
  const addresses = (plan.otherApis ?? []).map(({ name, definition }) => [
    `${definition.envPrefix}_BASE_URL`,
    mocked.get(name)?.mock.url ?? `${own}/~${name}`,
  ]);
  return {
    PATH: process.env.PATH ?? "",
    ...sampleEnvironment(plan),
    ...Object.fromEntries(addresses),
    ...(own !== undefined && { [`${envPrefix}_BASE_URL`]: own }),
    [`${envPrefix}_MODE`]: mode,
    LOG_LEVEL: "error",
  };
}
