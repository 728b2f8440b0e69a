/** URLs of servers: their origins, and the sentences about their changes. */
import { canParseUrl } from "../runtime/data/urls.js";
import { inlineCode, inlineLongCode } from "./inline-code.js";
import type { Change, LockedApi } from "./types.js";

/** Maximum length of a URL in a sentence. A host of 253 characters is shown whole. */
const MAX_URL = 300;

/** A URL with environment variables, and the API whose lock defines them. */
export interface LockedServer {
  readonly template: string | undefined;
  readonly api: LockedApi;
}

/** The URL that is called if no variable is set; undefined if users must set the base URL. */
function defaultUrl({ template, api: { variables = {} } }: LockedServer): string | undefined {
  const url = template?.replace(/\{([^{}]*)\}/g, (expression, name: string) =>
    Object.hasOwn(variables, name) ? variables[name]!.default : expression,
  );
  return url === undefined ? undefined : normalizeUrl(url);
}

/** Scheme, host and port of a server; its URL if it has none. */
export function originOf(server: LockedServer): string | undefined {
  const url = defaultUrl(server);
  return url === undefined || !canParseUrl(url) ? url : new URL(url).origin;
}

/** Formats a URL with its host in ASCII, because letters of different scripts look the same. */
export function inlineUrl(url: string): string {
  return inlineLongCode(normalizeUrl(url), MAX_URL);
}

/** Paths are appended to a URL without its trailing slash. */
function normalizeUrl(url: string): string {
  return canParseUrl(url) ? new URL(url).href.replace(/\/$/, "") : url;
}

/**
 * Describes a changed server, also one that differs in its variables only.
 * @param what the subject of the sentence if the host is the same
 * @returns nothing if the same URLs are called
 */
export function serverChange(
  was: LockedServer,
  now: LockedServer,
  what: { readonly requests: string; readonly credentials: string },
): Pick<Change, "message" | "was" | "now"> | undefined {
  const [before, after] = [defaultUrl(was), defaultUrl(now)];
  const values = { was: was.template, now: now.template };
  if (before !== after) {
    const subject = originOf(was) === originOf(now) ? what.requests : what.credentials;
    return { ...values, message: destinationSentence(subject, before, after) };
  }
  if (was.template === now.template) return undefined;
  const [removed, added] = [variablesOnlyIn(was, now), variablesOnlyIn(now, was)];
  if (removed.length + added.length === 0) return undefined;
  const clauses = [
    ...(added.length > 0 ? [`now contains the value of ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`no longer contains the value of ${removed.join(", ")}`] : []),
  ];
  return { ...values, message: `The URL ${inlineUrl(after ?? "")} ${clauses.join(", and ")}.` };
}

function destinationSentence(subject: string, was?: string, now?: string): string {
  if (now === undefined)
    return `${subject} no longer go to ${inlineUrl(was ?? "")}; the base URL must be set.`;
  if (was === undefined)
    return `${subject} now go to ${inlineUrl(now)}, unless the base URL is set.`;
  const warning =
    /^https:/i.test(was) && /^http:/i.test(now) ? " They are no longer encrypted." : "";
  return `${subject} now go to ${inlineUrl(now)} instead of ${inlineUrl(was)}.${warning}`;
}

/** Environment variables in the URL of a server, but not in another. */
function variablesOnlyIn({ template = "" }: LockedServer, other: LockedServer): readonly string[] {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([expression]) => expression);
  return [...new Set(names)]
    .filter((expression) => other.template?.includes(expression) !== true)
    .map((expression) => inlineCode(expression.slice(1, -1)));
}
