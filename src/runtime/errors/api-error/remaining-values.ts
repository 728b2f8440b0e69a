/** Values of an error response that its quoted message lacks. */
import { isObject } from "../../data/values.js";
import { alphanumeric } from "../status-names.js";
import { jsonInText } from "./json-in-text.js";

/** Maximum number of characters of the values, and of one of them. */
const MAX_REST = 1000;
const MAX_REST_VALUE = 300;
const MAX_REST_DEPTH = 8;
const MAX_REST_VALUES = 500;

/** Text that an agent reads about an error response besides its values. */
export interface ShownText {
  /** The quoted message. */
  readonly text: string;
  readonly status: number;
  /** Names of the status, as the standard and its earlier versions have them. */
  readonly statusNames: readonly string[];
  /** Names of fields that are shown, in any spelling: `address.city`. */
  readonly fields: readonly string[];
  readonly method: string;
  readonly url: string;
}

/**
 * The values of a body that the shown text lacks, as JSON; empty if it has all of them. Members
 * keep their names and places. The objects of a list stay whole, because their members belong
 * together.
 */
export function remainingValues(body: unknown, shown: ShownText): string {
  const pruner = new Pruner(shown);
  const rest = pruner.prune(body, 0);
  return rest === undefined ? "" : bothEnds(JSON.stringify(rest), MAX_REST);
}

/**
 * A text without its middle, if it is too long: the cause of an error is often the last line of its
 * stack trace.
 */
function bothEnds(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, "");
  const end = text.slice(-half).replace(/^[\udc00-\udfff]/, "");
  const omitted = text.length - start.length - end.length;
  return `${start}… [${omitted} more characters] …${end}`;
}

/** Words of a body that only repeat that it is an error. */
const FAILED_OUTCOME = /^(?:error|err|fail|failed|failure|false|nok|ko)$/i;

/** Flags of a body that only repeat that it is an error. */
const SUCCESS_FLAG = /^(?:is_?)?(?:ok|success|succeeded|successful)$/i;
const ERROR_FLAG = /^(?:is_?)?errors?$/i;

class Pruner {
  readonly #shown: string;
  readonly #written = new Set<string>();
  readonly #names: ReadonlySet<string>;
  #visited = 0;

  constructor(private readonly context: ShownText) {
    this.#shown = oneLine(context.text);
    const paths = context.fields.flatMap((path) => [path, ...stepsOf(path)]);
    this.#names = new Set([...paths, ...PLACES].map(alphanumeric));
  }

  prune(value: unknown, depth: number, name = ""): unknown {
    if (++this.#visited > MAX_REST_VALUES || depth > MAX_REST_DEPTH) return undefined;
    if (Array.isArray(value)) return this.#list(value, depth, name);
    if (isObject(value)) return this.#object(value, depth);
    if (this.#isShown(name, value)) return undefined;
    const inside = typeof value === "string" ? jsonInText(value) : undefined;
    return inside === undefined ? this.#write(name, value) : this.prune(inside, depth + 1, name);
  }

  #object(value: Readonly<Record<string, unknown>>, depth: number): unknown {
    const entries = Object.entries(value).flatMap(([name, part]) => {
      const rest = this.prune(part, depth + 1, name);
      return rest === undefined ? [] : [[name, rest] as const];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  #list(items: readonly unknown[], depth: number, name: string): unknown {
    const rest = items.flatMap((item) => {
      const part = this.prune(item, depth + 1, name);
      if (part === undefined) return [];
      return [isObject(item) && items.length > 1 ? item : part];
    });
    return rest.length === 0 ? undefined : rest;
  }

  /** A value, unless a member of the same name has it already. */
  #write(name: string, value: unknown): unknown {
    const key = `${name} ${String(value)}`;
    if (this.#written.has(key)) return undefined;
    this.#written.add(key);
    return typeof value === "string" ? bothEnds(value, MAX_REST_VALUE) : value;
  }

  #isShown(name: string, value: unknown): boolean {
    if (value === null || value === undefined || isNoCode(name, value)) return true;
    if (value === false) return SUCCESS_FLAG.test(name) || this.#hasFlag(name, value);
    if (value === true) return ERROR_FLAG.test(name) || this.#hasFlag(name, value);
    const text = oneLine(String(value as string | number));
    if (text === "" || FAILED_OUTCOME.test(text)) return true;
    return (
      text === NO_TYPE ||
      this.#isStatus(text) ||
      this.#isRequest(text) ||
      this.#isField(text) ||
      includesWord(this.#shown, text)
    );
  }

  /** A field is shown as the input that stands for it. */
  #isField(text: string): boolean {
    if (this.context.fields.length === 0 || /\s/.test(text)) return false;
    const steps = stepsOf(text).map(alphanumeric);
    return this.#names.has(alphanumeric(text)) || steps.every((step) => this.#names.has(step));
  }

  /** A flag is shown where its name is next to it. */
  #hasFlag(name: string, flag: boolean): boolean {
    const forms = [`${name} ${flag}`, `"${name}":${flag}`];
    return name !== "" && forms.some((form) => this.#shown.includes(form));
  }

  #isStatus(text: string): boolean {
    const { status, statusNames } = this.context;
    const name = alphanumeric(text.replace(new RegExp(`^${status}\\b`), ""));
    return name === ""
      ? text.trim() === String(status)
      : statusNames.some((one) => alphanumeric(one) === name);
  }

  #isRequest(text: string): boolean {
    const { method, url } = this.context;
    return (
      text === method ||
      (/^(?:https?:\/)?\/./.test(text) && (url === text || pathOf(url).endsWith(text)))
    );
  }
}

/** Codes that mean "no code": `"error_code": 0`. */
const isNoCode = (name: string, value: unknown): boolean =>
  value === 0 && /code|status|err/i.test(name);

/** Type of an error that has none of its own. RFC 9457, section 4.2.1. */
const NO_TYPE = "about:blank";

/** Parts of a request that precede the path of a field. */
const PLACES = ["body", "query", "path", "header", "headers", "cookie", "data", "attributes"];

const stepsOf = (path: string): readonly string[] => path.split(/[#/.[\]]+/).filter(Boolean);

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().replace(/\.$/, "");

const pathOf = (url: string): string => url.replace(/[?#].*$/s, "");

/** True if a text has another one that is not a part of a longer word. */
function includesWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + part.length] ?? " "}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}
