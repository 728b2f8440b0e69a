/** An API as a part of a server of several APIs: its variables, and its names that clash. */
import { splitWords } from "../language/words.js";
import { MAX_NAME_LENGTH, shortenName, toIdentifier } from "./names/format-name.js";
import type { ApiModel } from "../model/types.js";
import type { ApiMembership, PlanOptions } from "./options.js";
import { namedSchema } from "./schemas/refs.js";
import { environmentPrefix, titleWords } from "./server-names.js";
import type { PlannedTask } from "./tool-context.js";

/** Longest name of an API, which is the first part of names of tools, toolsets and variables. */
const MAX_API_NAME = 24;

/** Prefix of the variables of a server of several APIs, which does not depend on the APIs. */
const DEFAULT_PREFIX = "APIS";

/**
 * Prefix of the server's own variables: from the namespace or the name of the server. The titles of
 * its APIs do not matter, so that an API can be added without renaming variables.
 */
export function serverPrefix({ configuration, namespace, packageName }: PlanOptions): string {
  const { server, ...file } = configuration?.content ?? { version: 1 };
  const name = namespace ?? file.namespace ?? server?.name ?? packageName ?? file.name;
  if (name === undefined) return DEFAULT_PREFIX;
  return environmentPrefix("", name.replace(/^@[^/]*\//, "").replace(/-mcp(?:-server)?$/, ""));
}

/** Prefix of the variables of an API: `<PREFIX>_<API>`. */
export function memberPrefix(name: string, membership: ApiMembership): string {
  return `${membership.serverPrefix}_${splitWords(name).join("_").toUpperCase()}`;
}

/** Name of an API in its server, from the title of its document unless it is given. */
export function memberName({ title }: Pick<ApiModel, "title">, { api }: ApiMembership): string {
  if (api !== undefined) return api;
  const name = shortenName(titleWords(title), MAX_API_NAME).replace(/[^a-z0-9_]/g, "");
  if (name === "") return "api";
  return /^[a-z]/.test(name) ? name : `api_${name}`;
}

/** A setting of mcp-gen.yaml about one API, which is below its name in a server of several. */
export const settingOf = (api: string | undefined, setting: string): string =>
  api === undefined ? setting : `apis: {${api}: {${setting}}}`;

/** Name of a tool whose own name another API has, too: the name of its API precedes it. */
export function qualifyName(api: string, name: string): string {
  return shortenName([...api.split("_"), ...name.split("_")], MAX_NAME_LENGTH);
}

/** Renames the tools whose names other APIs have, too. */
export function qualifyNames(
  tasks: readonly PlannedTask[],
  membership: ApiMembership | undefined,
  { schemas, ...model }: Pick<ApiModel, "title" | "schemas">,
): readonly PlannedTask[] {
  if (!membership || membership.clashingNames.size === 0) return tasks;
  const { clashingNames } = membership;
  const api = memberName(model, membership);
  const isType = (name: string): boolean => namedSchema(schemas, name) !== undefined;
  return tasks.map((task) => {
    const { tool } = task;
    const { name } = tool.definition;
    if (!clashingNames.has(name)) return task;
    const qualified = qualifyName(api, name);
    const reason = `Another API of the server has the name ${name}`;
    return {
      ...task,
      tool: {
        ...tool,
        definition: { ...tool.definition, name: qualified },
        identifier: toIdentifier(qualified, isType),
        reasons: [...tool.reasons, reason],
      },
    };
  });
}
