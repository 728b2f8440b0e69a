/**
 * Plans of documents that have not changed, in the user's cache folder. An entry is used only if
 * every file that was read still has the same content. Otherwise the document is planned again.
 */
import { isObject, type JsonValue } from "../json.js";
import { isSecretConstant } from "../plan/secret-names.js";
import { isUrl } from "./configuration.js";
import type { ResolvedCommand } from "./resolved-command.js";
import {
  areUnchanged,
  cacheKey,
  digestOf,
  type FileDigests,
  openEntry,
  toPairs,
} from "./user-cache.js";

/** The cache of one command. */
interface PlanCache<T> {
  /** The stored value, if no file has changed. */
  read(): T | undefined;
  /** Stores a value with the digests of the contents that it was made of. Never throws. */
  store(value: T, inputs: FileDigests): void;
}

interface Entry {
  readonly inputs: readonly (readonly [path: string, digest: string | null])[];
  readonly value: unknown;
}

const MAX_ENTRIES = 30;

/**
 * Opens the cache of a command. Undefined if its plan depends on more than local files (a URL, a
 * pipe, remote references, templates), or if its configuration holds a constant that may be secret.
 */
export function openPlanCache<T>(run: ResolvedCommand): PlanCache<T> | undefined {
  const { source, options, configuration } = run;
  const settings = configuration?.settings ?? {};
  const dependsOnMore =
    (options.templates ?? settings.templates) !== undefined ||
    (options.allowRemoteRefs ?? settings.allowRemoteRefs ?? []).length > 0;
  if (options.verbose === true || dependsOnMore) return undefined;
  if (source === "-" || isUrl(source) || digestOf(source) === undefined) return undefined;
  if (holdsSecret(configuration?.content)) return undefined;
  const { read, store } = openEntry("plans", keyOf(run), MAX_ENTRIES);
  return {
    read: () => {
      const { inputs, value } = (read() ?? { inputs: [] }) as Partial<Entry>;
      return areUnchanged(inputs ?? []) ? (value as T | undefined) : undefined;
    },
    store: (value, digests) => store({ inputs: toPairs(digests), value } satisfies Entry),
  };
}

/** Everything that decides the plan, except the content of the files that are read. */
function keyOf({ source, options, configuration, configurationFile }: ResolvedCommand): string {
  const { content, settings } = configuration ?? {};
  return cacheKey([source, options, configurationFile, content, settings]);
}

/** True for headers with constant values, and constants of parameters that are credentials. */
function holdsSecret(value: unknown, name = ""): boolean {
  if (!isObject(value)) return Array.isArray(value) && value.some((one) => holdsSecret(one, name));
  if (isObject(value["headers"]) && Object.values(value["headers"]).some(isText)) return true;
  const { fixed } = value;
  if (fixed !== undefined && isSecretConstant(name, fixed as JsonValue)) return true;
  return Object.entries(value).some(([key, member]) => holdsSecret(member, key));
}
const isText = (value: unknown): boolean => typeof value === "string";
