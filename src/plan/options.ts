import type { Configuration } from "../configuration/types.js";
import { quoteText } from "../diagnostics/text.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import type { ProjectCode } from "./project-code.js";
import { isValidPackageName } from "./server-names.js";
import { isCallableServer } from "./servers.js";

/** Removes invalid options, with an error for each. */
export function validateOptions<Options extends PlanOptions>(
  options: Options,
  diagnostics: DiagnosticCollector,
): Options {
  const { content, locationOf } = options.configuration ?? {};
  const report = (
    name: string,
    key: "namespace" | "name" | "baseUrl",
    value: string,
    expected: string,
  ): void => {
    const isOfFile = content?.[key] === value;
    diagnostics.add(
      "plan-option",
      `${isOfFile ? `\`${key}\`` : name} is ${quoteText(value)}, but must be ${expected}.`,
      isOfFile ? locationOf?.([key]) : undefined,
    );
  };
  const valid: { -readonly [K in keyof Options]: Options[K] } = { ...options };
  for (const { flag, option, key, isValid, expected } of CHECKED_OPTIONS) {
    const value = options[option];
    if (value === undefined || isValid(value)) continue;
    delete valid[option];
    report(flag, key, value, expected);
  }
  return valid;
}

/** Options whose text must have a form. `key` is the name in `mcp-gen.yaml`. */
const CHECKED_OPTIONS = [
  {
    flag: "--namespace",
    option: "namespace",
    key: "namespace",
    isValid: (value: string) => /^[a-z][a-z0-9_]{0,15}$/.test(value) && !value.endsWith("_"),
    expected: "1 to 16 lower-case letters, digits and underscores, starting with a letter",
  },
  {
    flag: "--name",
    option: "packageName",
    key: "name",
    isValid: isValidPackageName,
    expected: "a legal npm name, such as clinic-mcp-server",
  },
  {
    flag: "--base-url",
    option: "baseUrl",
    key: "baseUrl",
    isValid: (value: string) => isCallableServer({ url: value }) && !value.includes("{"),
    expected: "an absolute http or https URL without user name, query and fragment",
  },
] as const;

/** An API in a server of several APIs. */
export interface ApiMembership {
  /** Name of the API in the server: `^[a-z][a-z0-9_]*$`. Default: from the document's title. */
  readonly api?: string;
  /** Prefix of the server's own environment variables. */
  readonly serverPrefix: string;
  /** Names that tools of other APIs have, too. The API's name precedes them. */
  readonly clashingNames: ReadonlySet<string>;
  /** Tools of the other APIs, which texts about workflows may name. */
  readonly otherTools?: ReadonlySet<string>;
}

export interface PlanOptions {
  /** Default: derived from the title. `^[a-z][a-z0-9_]{0,15}$`; prefixes tool names. */
  readonly namespace?: string;
  readonly granularity?: "task" | "operation";
  readonly includeDeprecated?: boolean;
  /** Tags, operationIds or `METHOD /path` globs. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Overrides the document's servers. */
  readonly baseUrl?: string;
  /** `strict` keeps output schemas as written. Default: `tolerant`. */
  readonly output?: "tolerant" | "strict";
  /** npm name. Default: derived from the title. */
  readonly packageName?: string;
  /** The server that this API is a part of. Absent: the API is the whole server. */
  readonly membership?: ApiMembership;
  /** Definitions in the code of the project, which its lock, texts and budget include. */
  readonly projectCode?: ProjectCode;
  /** Content of `mcp-gen.yaml`, with the locations of its keys. */
  readonly configuration?: Pick<Configuration, "content" | "locationOf">;
}
