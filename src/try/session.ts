import { type Mock, type MockApi, type MockOptions, startMock } from "../mock/index.js";
import type { ToolPlan } from "../plan/index.js";
import type { GeneratedFile } from "../render/index.js";
import { sampleEnvironment } from "../render/views/tools.js";
import { startServer, type StdioClient } from "./client.js";
import { compileProject, prepareProject } from "./project.js";

/** A generated server that runs over stdio, with a mock of its API. */
export interface Session {
  readonly client: StdioClient;
  readonly mock: Mock;
  readonly api: MockApi;
  /** Ends everything, and removes the temporary folder. */
  readonly close: () => Promise<void>;
}

/** Options of a session. */
export interface SessionOptions {
  /** Replaces documented responses of the mock. */
  readonly respond?: MockOptions["respond"];
  /** The API that the mock serves, in a server of several. */
  readonly api?: string;
  /** Content of `tools/list`. Default: every tool. */
  readonly mode?: "tools" | "hybrid" | "discovery";
}

const BASE_PATH = "/api";

/**
 * Starts a generated server in a temporary folder as a host does, with a mock of its API that
 * rejects undocumented requests.
 * @throws ServerExitedError when the server does not start
 */
export async function startSession(
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  { respond, mode = "tools", api: name }: SessionOptions = {},
): Promise<Session> {
  const api = mockApi(files, name);
  const project = await prepareProject(await compileOnce(files));
  const removeAtExit = (): void => project.remove();
  process.once("exit", removeAtExit);
  const mock = await startMock(api, { basePath: BASE_PATH, ...(respond && { respond }) });
  const end = async (client?: StdioClient): Promise<void> => {
    await client?.close();
    await mock.close();
    project.remove();
    process.off("exit", removeAtExit);
  };
  try {
    const client = await startServer(project.main, environment(plan, mock.url, mode, name));
    return { client, mock, api, close: () => end(client) };
  } catch (error) {
    await end();
    throw error;
  }
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
  url: string,
  mode: NonNullable<SessionOptions["mode"]>,
  api: string | undefined,
): Record<string, string> {
  const { envPrefix } = plan.api;
  const addresses = (plan.otherApis ?? []).map(({ name, definition }) => [
    `${definition.envPrefix}_BASE_URL`,
    name === api ? url : `${url}/~${name}`,
  ]);
  return {
    PATH: process.env.PATH ?? "",
    ...sampleEnvironment(plan),
    ...Object.fromEntries(addresses),
    [`${envPrefix}_BASE_URL`]: url,
    [`${envPrefix}_MODE`]: mode,
    LOG_LEVEL: "error",
  };
}
