import { TOOL_MARK, toolMark, type CrossReferences } from "../text/tool-marks.js";
import { decodePercent } from "../../json-pointer.js";
import { sequence } from "../../language/patterns.js";
import type { Operation } from "../../model/types.js";
import { canStartImperative, isVerb } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";

/** Creates the cross-references of a document. Only operations with a tool are marked. */
export function createCrossReferences(operations: readonly Operation[]): CrossReferences {
  const indexOf = new Map(operations.map((operation, i) => [operation, i]));
  /** Texts without a reference, as all operations show them. Most inputs have a text of many. */
  const plainTexts = new Map<string, string>();
  let index: OperationLookup | undefined;
  return {
    operationOf: (i) => operations[i],
    link: (text, own) => {
      if (!CANDIDATE.test(text)) return text;
      const plain = plainTexts.get(text);
      if (plain !== undefined) return plain;
      index ??= indexOperations(operations);
      const { linked, hasReference } = linkText(text, index, indexOf, own);
      if (!hasReference) plainTexts.set(text, linked);
      return linked;
    },
  };
}

/** Signs of a reference. Texts without them are not searched. */
const CANDIDATE =
  /\]\(|\b(?:GET|POST|PUT|PATCH|DELETE)\b|`|[a-z][A-Z]|\b(?:operation|endpoint|method)\b/;

const ENDPOINT = sequence(
  /\s{1,3}(?:api )?(?:endpoint|operation|method|call|route|api)\b/,
  /(?! (?:body|header|parameter|limit|rate|key|token))/,
);
/** Part of every `ENDPOINT`, and of every `METHOD_AND_PATH`. Both are cheap to find. */
const ENDPOINT_WORD = /\s(?:endpoint|operation|method|call|route|api)\b/i;
const METHOD = /\b(?:GET|POST|PUT|PATCH|DELETE)/;
const NOUN = new RegExp(`(?:${ENDPOINT.source})?`);
/** The marks at the end of code or emphasis, and the noun after them. */
const END = new RegExp(`[\`*]{0,3}(${NOUN.source})`);
const LINK = sequence(
  /(\bthe\s{1,3})?[`*]{0,3}\[[`*]{0,3}([^\][\n]{2,120}?)[`*]{0,3}\]/gi,
  /\(([^()\s]{0,300}(?:\([^()\s]*\))?[^()\s]{0,100})\)/,
  END,
);
/** Not in a command: `curl -X POST https://…`. */
const METHOD_AND_PATH = sequence(
  /(\bthe\s{1,3})?(?<!(?:-X|--request)\s{0,2}["']?)[`*]{0,3}\b(GET|POST|PUT|PATCH|DELETE)/g,
  /[`*]{0,3}\s{1,3}[`*]{0,3}(?:https?:\/\/[\w.-]+)?/,
  /(\/[\w/{}:<>.[\]$~-]{1,200}(?:\?[\w=&%{}-]{0,80})?)/,
  END,
);
/** Another method of the same path: `prefer the asynchronous version using the POST method`. */
const OTHER_METHOD = sequence(
  /\b(using|use|via|with) (?:the )?[`*]{0,3}(GET|POST|PUT|PATCH|DELETE)[`*]{0,3} method\b/g,
  /(?! (?:and|for|of|on) )/,
);
/** A path that a noun follows, or that is used: the `/pets` endpoint, see `/pets`. */
const PATH = new RegExp(
  `(\\bthe\\s{1,3})?(?<![\\w/.}])(?:(?<=\\b(?:call|calling|from|prefer|see|use|using|via) )` +
    `\`(\\/[\\w/{}:-]{1,200})\`|(\`?)(\\/[\\w/{}:-]{1,200})\\3(${ENDPOINT.source}))`,
  "gi",
);
/** The name of an operation in prose: `from ListProjects`, `use getPet`. */
const BARE_NAME = /(?<![\w.$`/-])[A-Za-z][a-z]+(?:[A-Z][a-z]+)+(?![\w$`/-])/g;
const WHOLE_BARE_NAME = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+$/;
const NAMED = new RegExp(
  String.raw`(\bthe\s{1,3})?\x60([A-Za-z][\w.-]{3,80})\x60(${NOUN.source})`,
  "gi",
);

const QUOTED = new RegExp(
  String.raw`(\bthe\s{1,3})?["“]([^"“”\n]{4,100})["”](${NOUN.source})`,
  "gi",
);

/** A text with marks, and whether it may read differently for another operation. */
interface LinkedText {
  readonly linked: string;
  readonly hasReference: boolean;
}

function linkText(
  text: string,
  index: OperationLookup,
  indexOf: ReadonlyMap<Operation, number>,
  own: Operation | undefined,
): LinkedText {
  let hasReference = false;
  const mark = (operation: Operation | undefined, article = "", noun = ""): string | undefined => {
    if (operation === undefined) return undefined;
    hasReference = true;
    const found = operation === own ? undefined : indexOf.get(operation);
    return found === undefined ? undefined : (noun === "" ? article : "") + toolMark(found);
  };
  let linked = text;
  if (linked.includes("]("))
    linked = linked.replace(
      LINK,
      (match, article = "", label: string, target: string, noun: string) => {
        const operation = operationOfLink(label, target, index);
        if (noun !== "" || isOperationLabel(label, index))
          return mark(operation, article, noun) ?? match;
        const found = mark(operation);
        return found === undefined ? match : `${article}${label} (${found})`;
      },
    );
  if (linked.includes(" method"))
    linked = linked.replace(OTHER_METHOD, (match, verb: string, method: string) => {
      hasReference = true; // the path of the operation decides what the method names
      const found = mark(own && index.byPath(method, own.path));
      return found === undefined ? match : `${verb} ${found}`;
    });
  if (METHOD.test(linked))
    linked = linked.replace(
      METHOD_AND_PATH,
      (match, article = "", method: string, path: string, noun: string) => {
        const [end = ""] = noun === "" ? (/[.:]$/.exec(path) ?? []) : [];
        const found = mark(index.byPath(method, path.replace(/[.:]$/, "")), article, noun);
        return found === undefined ? match : found + end;
      },
    );
  if (linked.includes("`/") || ENDPOINT_WORD.test(linked))
    linked = linked.replace(PATH, (match, article = "", used = "", _, path = "", noun = "") => {
      hasReference = true; // the method of the operation decides what the path names
      const operation = index.byPathAlone(used || path, own?.method);
      if (operation !== undefined && operation === own) return noun && "this endpoint";
      return mark(operation, article, noun) ?? match;
    });
  if (linked.includes("`"))
    linked = linked.replace(
      NAMED,
      (match, article = "", name: string, noun: string) =>
        mark(isOperationName(name, noun) ? index.byId(name) : undefined, article, noun) ?? match,
    );
  if (index.hasBareNames)
    linked = linked.replace(BARE_NAME, (name) => mark(index.byName(name)) ?? name);
  if (/["“]/.test(linked))
    linked = linked.replace(
      QUOTED,
      (match, article = "", summary: string, noun: string) =>
        mark(noun === "" ? undefined : index.bySummary(summary), article, noun) ?? match,
    );
  return {
    linked: linked === text ? text : linked.replace(LONE_ARTICLE, "$1"),
    hasReference,
  };
}

/** An article before a mark that ends its phrase: `with the ‹…› to`. */
const LONE_ARTICLE = new RegExp(
  String.raw`\bthe\s+(${TOOL_MARK.source})(?=[.,;:)]|\s+(?:to|and|or|for|in|which|that|instead|first)\b|$)`,
  "g",
);

/**
 * A word is the name of an operation only if an operation has this name, or if it is formatted as
 * one.
 */
const isOperationName = (name: string, noun: string): boolean =>
  noun !== "" && /[a-z][A-Z]|_|[.-]|^[A-Z]/.test(name);

/** Tests whether the text of a link names an operation: not what it is about, such as `tags`. */
const isOperationLabel = (label: string, index: OperationLookup): boolean =>
  METHOD_LABEL.test(label) ||
  /^\/|\b(?:endpoint|operation|method|call|request)$/i.test(label) ||
  index.byId(label) !== undefined ||
  index.bySummary(label) !== undefined ||
  canStartImperative((/^[a-z]+(?= )/i.exec(label)?.[0] ?? "").toLowerCase());

const METHOD_LABEL = /^[\x60*]*(GET|POST|PUT|PATCH|DELETE)\s+(\/\S+?)[\x60*]*$/;

/** Operation of a link: by method and path or operationId in its target or text, or by its text. */
function operationOfLink(
  label: string,
  target: string,
  index: OperationLookup,
): Operation | undefined {
  const fragment = (decodePercent(target) ?? target).split("#").at(-1) ?? "";
  const [, method, path] = METHOD_LABEL.exec(label) ?? [];
  const byLabel = method && path ? index.byPath(method, path) : undefined;
  if (byLabel) return byLabel;
  const [, before, pathOfTarget = "", after] =
    /^(?:.*?\bpaths|(get|post|put|patch|delete)-)?(\/.*?)(?:\/(get|post|put|patch|delete))?$/i.exec(
      fragment.replaceAll("~1", "/"),
    ) ?? [];
  const byPath = before || after ? index.byPath(before ?? after ?? "", pathOfTarget) : undefined;
  const lastPart = fragment.split("/").at(-1) ?? "";
  const isLocal = /^#|^e:|operation/.test(target);
  const byId = isLocal && lastPart.length > 3 ? index.byId(lastPart) : undefined;
  return byPath ?? byId ?? (label.includes(" ") ? index.bySummary(label) : undefined);
}

/** Finds operations by their names in texts. */
interface OperationLookup {
  /** By method and path, with any names of parameters, with or without the path of the server. */
  byPath(method: string, path: string): Operation | undefined;
  /** By path: for a GET the one that reads, else the only one. */
  byPathAlone(path: string, method: string | undefined): Operation | undefined;
  /** By operationId, in any spelling. */
  byId(name: string): Operation | undefined;
  /** By operationId as it is written, if that starts with a verb. */
  byName(name: string): Operation | undefined;
  /** Whether an operationId has the form of a name in prose. */
  readonly hasBareNames: boolean;
  /** By summary. */
  bySummary(text: string): Operation | undefined;
}

/** Indexes operations. A name of several operations finds none. */
function indexOperations(operations: readonly Operation[]): OperationLookup {
  const paths = new UniqueMap<Operation>();
  const ids = new UniqueMap<Operation>();
  const summaries = new UniqueMap<Operation>();
  for (const operation of operations) {
    const segments = segmentsOf(operation.path);
    for (let start = 0; start < segments.length && start <= MAX_SERVER_SEGMENTS; start++)
      paths.add(pathKey(operation.method, segments.slice(start)), operation, start);
    if (operation.operationId) ids.add(normalize(operation.operationId), operation);
    if (operation.summary) summaries.add(normalize(operation.summary), operation);
  }
  const byPath = (method: string, path: string): Operation | undefined => {
    const segments = segmentsOf(path.replace(/[?#].*$/s, ""));
    const keys = segments.map((_, start) => pathKey(method, segments.slice(start)));
    const found = keys.slice(0, MAX_SERVER_SEGMENTS + 1).flatMap((key) => paths.get(key) ?? []);
    return found[0];
  };
  return {
    byPath,
    byPathAlone: (path, method) => {
      const found = METHODS.flatMap((one) => byPath(one, path) ?? []);
      if (found.length === 1) return found[0];
      return method === "GET" ? byPath(method, path) : undefined;
    },
    byId: (name) => ids.get(normalize(name)),
    byName: (name) => {
      const found = ids.get(normalize(name));
      const isVerbal = isVerb(splitWords(name)[0]);
      return found?.operationId === name && isVerbal ? found : undefined;
    },
    hasBareNames: operations.some(({ operationId = "" }) => WHOLE_BARE_NAME.test(operationId)),
    bySummary: (text) => summaries.get(normalize(text)),
  };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Maximum number of first segments that only a text or only the document has: `/api/v1`. */
const MAX_SERVER_SEGMENTS = 2;

/** `/pets/{id}`, `/pets/:id` and `/pets/<id>` are the same. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) =>
      /^(?::|\{[^{}]*\}$|<|\[|\$)/.test(segment)
        ? "{}"
        : segment.replace(/\.json$/, "").toLowerCase(),
    );
}

const pathKey = (method: string, segments: readonly string[]): string =>
  `${method.toUpperCase()} ${segments.join("/")}`;

const normalize = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Map from keys to the only value of each. A value with a lower rank beats others. */
class UniqueMap<Value> {
  readonly #values = new Map<string, { readonly value?: Value; readonly rank: number }>();

  add(key: string, value: Value, rank = 0): void {
    const known = this.#values.get(key);
    if (!known || rank < known.rank) this.#values.set(key, { value, rank });
    else if (known.rank === rank) this.#values.set(key, { rank });
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)?.value;
  }
}
