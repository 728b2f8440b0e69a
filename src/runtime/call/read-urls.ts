/** Inputs that also take the URL of a thing: the URL states their value, and those of other inputs. */
import { isObject } from "../data/values.js";
import type { InputProblem } from "../request/types.js";
import type { ToolDefinition, UrlInput } from "../types.js";

type ReadInputs =
  | { readonly args: unknown }
  /** The URL has another form, or contradicts another input. */
  | { readonly problems: readonly InputProblem[] };

/** Replaces URLs by the values that they state. Problems are those that a caller can solve. */
export function readUrls({ urls }: Pick<ToolDefinition, "urls">, args: unknown): ReadInputs {
  if (!urls || !isObject(args)) return { args };
  let read: Record<string, unknown> = { ...args };
  const problems: InputProblem[] = [];
  for (const [name, url] of Object.entries(urls)) {
    const values = valuesOf(read[name], url);
    if (values === "other") problems.push({ input: name, problem: otherForm(url) });
    for (const [input, value] of Object.entries(values === "other" ? {} : values)) {
      if (input !== name && isOtherValue(read[input], value))
        problems.push({ input, problem: contradiction(name, value) });
      read = { ...read, [input]: value };
    }
  }
  const needs = Object.entries(urls).flatMap(([name, { needs: inputs }]) =>
    inputs.filter((input) => isAbsent(read[input])).map((input) => [input, name] as const),
  );
  for (const [input, name] of needs)
    problems.push({ input, problem: `is required, unless ${name} is a URL` });
  return problems.length > 0 ? { problems } : { args: read };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** The values that a text states, if it is a URL; `other` for a URL that can be no value. */
function valuesOf(
  text: unknown,
  { templates, isNumber, isStrict }: UrlInput,
): Readonly<Record<string, unknown>> | "other" {
  if (typeof text !== "string" || !/^\s*https?:\/\//i.test(text)) return {};
  for (const template of templates) {
    const values = matchUrl(template, text.trim());
    if (values)
      return Object.fromEntries(
        Object.entries(values).map(([input, value]) => [
          input,
          isNumber.includes(input) && /^\d{1,15}$/.test(value) ? Number(value) : value,
        ]),
      );
  }
  return isStrict ? "other" : {};
}

/**
 * Matches a URL with a template such as `https://host/{owner}/issues/{number}`. A path below the
 * thing, a query and a fragment are ignored.
 */
function matchUrl(template: string, url: string): Record<string, string> | undefined {
  const names: string[] = [];
  const [, scheme = "", host = "", path = ""] = /^(https?:\/\/)([^/]*)(.*)$/i.exec(template) ?? [];
  const pattern = (text: string, value: string): string =>
    text
      .split(/(\{[^{}]*\})/)
      .map((part) => {
        if (!part.startsWith("{")) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
        names.push(part.slice(1, -1));
        return value;
      })
      .join("");
  const origin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? "";
  const inHost = new RegExp(`^${scheme}${pattern(host, "([^./?#:@]+)")}$`, "i").exec(origin);
  const end = path.endsWith("/") ? "" : "(?:[/?#]|$)";
  const inPath = new RegExp(`^${pattern(path, "([^/?#]+)")}${end}`).exec(url.slice(origin.length));
  if (!inHost || !inPath) return undefined;
  const found = [...inHost.slice(1), ...inPath.slice(1)].map(decode);
  if (found.some((value) => value === undefined)) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, found[i] as string]));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** True if an input has a value, and not that of the URL. */
const isOtherValue = (given: unknown, value: unknown): boolean =>
  !isAbsent(given) && String(given).toLowerCase() !== String(value).toLowerCase();

const otherForm = ({ templates }: UrlInput): string =>
  `is a URL of another form; pass ${templates.join(" or ")}, or the ID`;

const contradiction = (name: string, value: unknown): string =>
  `is another one than ${JSON.stringify(value)}, which the URL of ${name} has; leave it out`;
