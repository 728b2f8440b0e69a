/** `apis` of `mcp-gen.yaml`: the configuration of each API, as if it were alone. */
import { type Diagnostic, diagnostic } from "../diagnostics/index.js";
import type {
  Configuration,
  ConfigurationFile,
  ConfiguredApi,
  FileSettings,
  ServerConfig,
} from "./types.js";

type LocatedContent = Pick<Configuration, "content" | "locationOf">;

/**
 * Keys about one API, which a server of several has below the name of the API. Rules of the tools
 * of workflows are those of the server.
 */
const keysOfOneApi = [
  "spec",
  "overlays",
  "baseUrl",
  "hosts",
  "security",
  "select",
  "parameters",
] as const satisfies readonly (keyof ConfigurationFile)[];

/** Keys of `server` about the whole server. */
const keysOfServer = ["name", "runSteps"] as const satisfies readonly (keyof ServerConfig)[];

/**
 * Finds keys about one API outside of `apis`, which do not say of which, and keys about the whole
 * server below one API.
 */
export function findMisplacedKeys(file: LocatedContent): readonly Diagnostic[] {
  const { content, locationOf } = file;
  if (!content.apis) return [];
  const names = Object.keys(content.apis).join(", ");
  const misplaced: (readonly string[])[] = keysOfOneApi
    .filter((key) => content[key] !== undefined)
    .map((key) => [key]);
  if (content.server?.headers) misplaced.push(["server", "headers"]);
  for (const [name, { workflow }] of Object.entries(content.tools ?? {}))
    if (workflow === undefined) misplaced.push(["tools", name]);
  const ofOneApi = misplaced.map((path) =>
    diagnostic(
      "config-misplaced-key",
      `\`${path.join(".")}\` is about one API, and the file has several: ${names}.`,
      locationOf(path),
      "Move it below the API in `apis`.",
    ),
  );
  return [...ofOneApi, ...findServerKeys(file)];
}

function findServerKeys({ content: { apis = {} }, locationOf }: LocatedContent) {
  return Object.entries(apis).flatMap(([name, { server = {} }]) =>
    keysOfServer
      .filter((key) => server[key] !== undefined)
      .map((key) =>
        diagnostic(
          "config-misplaced-key",
          `\`server.${key}\` of ${name} is about the whole server.`,
          locationOf(["apis", name, "server", key]),
          "Move it to `server` at the top level.",
        ),
      ),
  );
}

/** The configuration of each API; undefined for a file with one API. */
export function readApis(
  file: LocatedContent,
  settingsOf: (content: ConfigurationFile) => FileSettings,
): readonly ConfiguredApi[] | undefined {
  const { apis } = file.content;
  return apis && Object.keys(apis).map((name) => readApi(name, file, settingsOf));
}

function readApi(
  name: string,
  { content: file, locationOf }: LocatedContent,
  settingsOf: (content: ConfigurationFile) => FileSettings,
): ConfiguredApi {
  const { server, granularity, outputSchemas, includeDeprecated, namespace, errors } = file;
  const { refRoot, allowRemoteRefs, approve } = file;
  const own = file.apis?.[name] ?? { spec: "" };
  const content: ConfigurationFile = {
    version: 1,
    ...present({ granularity, outputSchemas, includeDeprecated, namespace }),
    ...present({ errors, refRoot, allowRemoteRefs, approve }),
    ...own,
    server: { ...defaultsOf(server), ...own.server },
  };
  const isOwn = ([first, second]: readonly (string | number)[]): boolean => {
    const value = (own as Readonly<Record<string, unknown>>)[first ?? ""];
    if (first !== "server") return value !== undefined;
    return second === undefined || Object.hasOwn(own.server ?? {}, second);
  };
  return {
    name,
    configuration: {
      content,
      locationOf: (path) => locationOf(isOwn(path) ? ["apis", name, ...path] : path),
      settings: settingsOf(content),
    },
  };
}

/** Members that are not undefined. */
function present<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

/** What the server says for all of its APIs. Its name and its texts are its own. */
function defaultsOf(server: ServerConfig = {}): ServerConfig {
  const { name: _, title: __, instructions: ___, ...defaults } = server;
  return defaults;
}
