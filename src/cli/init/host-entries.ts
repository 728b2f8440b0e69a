/** Entries of a server in the configurations of hosts, each in the form that its host documents. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { alwaysShownTokens } from "../../plan/budget/always-shown.js";

/** A generated server as hosts start it, or connect to it. */
export interface HostedServer {
  readonly name: string;
  /** Folder of the project. */
  readonly folder: string;
  /** Endpoint of a running server, which hosts connect to instead of starting one. */
  readonly url?: string;
  /** Variable with the bearer token of the endpoint. */
  readonly tokenVariable: string;
  /** Secret variables that the server needs and `.env` lacks. */
  readonly secrets: readonly HostSecret[];
  readonly list: { readonly tools: number; readonly tokens: number };
  /** Variable that selects what the list has. */
  readonly modeVariable: string;
}

/** A secret that a host may ask for. */
interface HostSecret {
  readonly name: string;
  readonly description: string;
}

/** A value that VS Code asks for and stores. */
interface PromptedInput {
  readonly type: "promptString";
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

/** An entry, and the inputs that it refers to. */
export interface HostEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly inputs?: readonly PromptedInput[];
}

/** Writes the entry of a server; undefined for an endpoint that the host does not take from its file. */
export type EntryWriter = (server: HostedServer) => HostEntry | undefined;

/** Tools that hosts take. Cursor 40 to 80, by model; VS Code 128. */
const cursorTools = 80;
const vscodeTools = 128;

/** https://modelcontextprotocol.io/quickstart/user. Endpoints are added as connectors. */
export const claudeDesktopEntry: EntryWriter = ({ url, folder }) =>
  url === undefined ? { entry: command(resolve(folder)) } : undefined;

/** https://code.claude.com/docs/en/mcp. `alwaysLoad` keeps the tools of a short list visible. */
export const claudeCodeEntry: EntryWriter = (server) => {
  const { url, folder, tokenVariable, list } = server;
  const always = list.tokens <= alwaysShownTokens ? { alwaysLoad: true } : {};
  return url === undefined
    ? {
        entry: { type: "stdio", ...command(within(folder, "${CLAUDE_PROJECT_DIR:-.}")), ...always },
      }
    : { entry: { type: "http", url, headers: bearer(`\${${tokenVariable}}`), ...always } };
};

/** https://cursor.com/docs/mcp */
export const cursorEntry: EntryWriter = (server) => {
  const { url, folder, tokenVariable } = server;
  return url === undefined
    ? {
        entry: {
          ...command(within(folder, "${workspaceFolder}")),
          ...environment(listMode(server, cursorTools)),
        },
      }
    : { entry: { url, headers: bearer(`\${env:${tokenVariable}}`) } };
};

/** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration */
export const vscodeEntry: EntryWriter = (server) => {
  const { url, folder, tokenVariable, secrets } = server;
  if (url !== undefined) {
    const inputs = [prompt({ name: tokenVariable, description: `Bearer token of ${url}` })];
    return { entry: { type: "http", url, headers: bearer(reference(tokenVariable)) }, inputs };
  }
  const values = Object.fromEntries(secrets.map(({ name }) => [name, reference(name)]));
  return {
    entry: {
      type: "stdio",
      ...command(within(folder, "${workspaceFolder}")),
      ...environment({ ...values, ...listMode(server, vscodeTools) }),
    },
    ...(secrets.length > 0 && { inputs: secrets.map(prompt) }),
  };
};

/** https://developers.openai.com/codex/mcp */
export const codexEntry: EntryWriter = ({ url, folder, tokenVariable }) => ({
  entry:
    url === undefined ? command(resolve(folder)) : { url, bearer_token_env_var: tokenVariable },
});

/** https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md */
export const geminiEntry: EntryWriter = ({ url, folder, tokenVariable }) => ({
  entry:
    url === undefined
      ? command(within(folder, "."))
      : { httpUrl: url, headers: bearer(`\${${tokenVariable}}`) },
});

function command(folder: string): Readonly<Record<string, unknown>> {
  return { command: "node", args: [`${folder.split(sep).join("/")}/dist/server.js`] };
}

/**
 * Path of a folder for a file that is committed: below the folder of that file, as a host names it.
 * A folder elsewhere has its absolute path.
 */
function within(folder: string, base: string): string {
  const path = relative(process.cwd(), resolve(folder));
  if (path === "") return base;
  return isAbsolute(path) || path.split(sep)[0] === ".." ? resolve(folder) : `${base}/${path}`;
}

/** Lists fewer tools in a host that does not take all of them. */
function listMode(
  { list, modeVariable }: HostedServer,
  max: number,
): Readonly<Record<string, string>> {
  return list.tools > max ? { [modeVariable]: "hybrid" } : {};
}

const environment = (env: Readonly<Record<string, string>>): object =>
  Object.keys(env).length > 0 ? { env } : {};

const bearer = (token: string): object => ({ Authorization: `Bearer ${token}` });

const reference = (name: string): string => `\${input:${name}}`;

const prompt = ({ name, description }: HostSecret): PromptedInput => ({
  type: "promptString",
  id: name,
  description,
  password: true,
});
