/** Redaction of secrets in results, files and log lines. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { ApiDefinition } from "../api-definition.js";
import { decodedForms, findEscaped, type Range, secretForms } from "./secret-forms.js";
import { base64, decodeBase64, toBinaryString, utf8Bytes } from "../data/bytes.js";
import { runAtOnce, runWithPauses, type Steps } from "../data/steps.js";
import type { Env } from "../request/types.js";
import { mapStringsInSteps } from "./shape.js";
import { headerValue, mayHoldCredential } from "../request/origins.js";
import { basicSecrets, rulesOf } from "../security-schemes.js";

/** A full result, of which only a part is shown. */
export type FullResult =
  | {
      readonly mimeType: string;
      readonly text: string;
      /** Paths of fields in it, as examples of `pick`. */
      readonly paths?: readonly string[];
    }
  | { readonly mimeType: string; readonly bytes: Uint8Array };

/** Replaces secrets in a text. */
export interface Redact {
  (text: string): string;
  /** Words that are replaced, the longest first. */
  readonly words?: readonly string[];
  /** Replaces them in steps, for long texts. */
  readonly inSteps?: (text: string) => Steps<string>;
}

/** Replacement of a secret. */
export const REDACTED = "[redacted]";

/** Mark of a truncated text, and minimum length of a secret's prefix before it. */
const ELLIPSIS = "…";
const MIN_PREFIX = 4;

/** Words in binary data are longer, because short ones occur by chance. */
const MIN_BINARY = 8;

/** Binary data above this size, in bytes, is searched without decoding escapes. */
const MAX_DECODED_BYTES = 1024 * 1024;

/**
 * Creates a redactor of secrets, literally and with any escapes. Before a truncation mark, it also
 * replaces prefixes of secrets. Longer secrets are replaced first, because they may contain shorter
 * ones.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = new Set(
    secrets
      .filter((secret) => secret.length >= 4)
      .flatMap((secret) => [...decodedForms(secret), JSON.stringify(secret).slice(1, -1)])
      .filter((word) => word.length >= 4),
  );
  const byLength = (a: string, b: string) => b.length - a.length || (a < b ? -1 : 1);
  const words = [...forms].sort(byLength);
  // Truncation may be within an escape of a URL, so prefixes are compared with encoded secrets,
  // too.
  const written = [...new Set(words.flatMap(urlForms))].sort(byLength);
  const inSteps = function* (text: string): Steps<string> {
    if (words.length === 0) return text;
    const safe = replaceRanges(text, yield* findEscaped(text, words), () => REDACTED);
    return safe.includes(ELLIPSIS) ? redactPrefixes(safe, written) : safe;
  };
  return Object.assign((text: string) => runAtOnce(inSteps(text)), { words, inSteps });
}

/** A secret literally, and as encoded in URLs and forms. */
function urlForms(word: string): readonly string[] {
  const wellFormed = word.replace(/[\ud800-\udfff]/gu, "\ufffd");
  const encoded = encodeURIComponent(wellFormed);
  return [word, encoded, encodeURI(wellFormed), encoded.replaceAll("%20", "+")];
}

function replaceRanges(
  text: string,
  ranges: readonly Range[],
  replacement: (length: number) => string,
): string {
  if (ranges.length === 0) return text;
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), replacement(end - start));
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

function redactPrefixes(text: string, secrets: readonly string[]): string {
  const ends = new Set(
    secrets.flatMap((secret) =>
      Array.from({ length: secret.length - MIN_PREFIX + 1 }, (_, i) =>
        secret.slice(i, i + MIN_PREFIX),
      ),
    ),
  );
  const pieces = text.split(ELLIPSIS);
  const last = pieces.pop() ?? "";
  return [
    ...pieces.map((piece) =>
      ends.has(piece.slice(-MIN_PREFIX)) ? redactPrefix(piece, secrets) : piece,
    ),
    last,
  ].join(ELLIPSIS);
}

/**
 * Replaces the prefix of a secret at the end of a text. A caller may choose where a response is
 * truncated.
 */
function redactPrefix(text: string, secrets: readonly string[]): string {
  const end = text.slice(-MIN_PREFIX);
  for (const secret of secrets) {
    for (
      let at = secret.lastIndexOf(end);
      at >= 0;
      at = at === 0 ? -1 : secret.lastIndexOf(end, at - 1)
    ) {
      const beginning = secret.slice(0, at + MIN_PREFIX);
      if (text.endsWith(beginning)) return `${text.slice(0, -beginning.length)}${REDACTED}`;
    }
  }
  return text;
}

/**
 * Lists the credentials in the environment and those that the configuration fixes, in every form in
 * which they may come back.
 */
export function configuredSecrets(api: ApiDefinition, env: Env): readonly string[] {
  const variables = Object.values(api.securitySchemes).flatMap((scheme) =>
    rulesOf(scheme).secrets(scheme),
  );
  const inbound = (env[`${api.envPrefix}_HTTP_TOKEN`] ?? "")
    .split(",")
    .map((token) => token.trim());
  const ownClients = ["TOKEN_EXCHANGE", "HTTP_SIGN_IN"].map(
    (client) => `${api.envPrefix}_${client}_CLIENT_SECRET`,
  );
  const ownStore = [`${api.envPrefix}_STORE`, `${api.envPrefix}_STORE_KEY`];
  const names = [...variables, ...(api.secretParameters ?? []), ...ownClients, ...ownStore];
  const values = names.map((name) => env[name ?? ""] ?? "");
  const constants = [...(api.secretConstants ?? []), ...constantHeaders(api)];
  const secrets = [...values, ...constants].map((value) => value.trim());
  return [...secrets, ...inbound].flatMap(withoutScheme).flatMap(secretForms);
}

/** The constant headers of the configuration that are credentials. */
function constantHeaders(api: ApiDefinition): readonly string[] {
  const headers = Object.entries(api.headers ?? {});
  const secret = headers.filter((header) => mayHoldCredential(header, api));
  return secret.flatMap(([, source]) => headerValue(source, {}) ?? []);
}

/** A secret, and the credentials in it after the name of an HTTP authentication scheme. */
function withoutScheme(secret: string): readonly string[] {
  const [, scheme = "", credentials] =
    /^(basic|bearer|token|apikey|api-key|key) +(\S+)$/i.exec(secret) ?? [];
  if (credentials === undefined) return [secret];
  return [secret, credentials, ...(/^basic$/i.test(scheme) ? basicSecrets(credentials) : [])];
}

/**
 * Redacts every part of a result: texts, addresses, names and types, contents of files, and the
 * names and values of structured content. Most results have no secrets and are returned unchanged.
 */
export function redactResult(result: CallToolResult, redact: Redact): Promise<CallToolResult> {
  return runWithPauses(redactInSteps(result, redact));
}

function* redactInSteps(result: CallToolResult, redact: Redact): Steps<CallToolResult> {
  const { content, ...rest } = result;
  const blocks: ContentBlock[] = [];
  for (const block of content) blocks.push(yield* redactBlock(block, redact));
  const others = yield* redactValue(rest, redact);
  if (others === rest && blocks.every((block, i) => block === content[i])) return result;
  return { ...others, content: blocks };
}

/** Redacts a full result, which is stored or saved. Other calls go on meanwhile. */
export async function redactFullResult(
  fullResult: FullResult,
  redact: Redact,
): Promise<FullResult> {
  const mimeType = redactType(fullResult.mimeType, redact);
  if ("bytes" in fullResult)
    return { mimeType, bytes: await runWithPauses(redactBytes(fullResult.bytes, redact)) };
  const { text, ...others } = fullResult;
  return {
    ...others,
    mimeType,
    text: redact.inSteps ? await runWithPauses(redact.inSteps(text)) : redact(text),
  };
}

function* redactBlock(block: ContentBlock, redact: Redact): Steps<ContentBlock> {
  switch (block.type) {
    case "image":
    case "audio": {
      const { data, mimeType, ...rest } = block;
      const contents = yield* redactEncoded(data, redact);
      const type = redactType(mimeType, redact);
      const others = yield* redactValue(rest, redact);
      if (contents === data && type === mimeType && others === rest) return block;
      return { ...others, data: contents, mimeType: type };
    }
    case "resource": {
      const { resource, ...rest } = block;
      const contents = yield* redactContents(resource, redact);
      const others = yield* redactValue(rest, redact);
      return contents === resource && others === rest ? block : { ...others, resource: contents };
    }
    default: {
      const { type, ...rest } = block;
      const others = yield* redactValue(rest, redact);
      return others === rest ? block : ({ type, ...others } as ContentBlock);
    }
  }
}

type ResourceContents = Extract<ContentBlock, { type: "resource" }>["resource"];

function* redactContents(resource: ResourceContents, redact: Redact): Steps<ResourceContents> {
  const blob = "blob" in resource ? resource.blob : undefined;
  const { mimeType } = resource;
  const rest = yield* redactValue({ ...resource, blob: undefined, mimeType: undefined }, redact);
  const safe = {
    ...rest,
    ...(blob !== undefined && { blob: yield* redactEncoded(blob, redact) }),
    ...(mimeType !== undefined && { mimeType: redactType(mimeType, redact) }),
  } as ResourceContents;
  return JSON.stringify(safe) === JSON.stringify(resource) ? resource : safe;
}

/** Redacts the strings of a value, and numbers whose digits are a secret. */
function* redactValue<Value>(value: Value, redact: Redact): Steps<Value> {
  const numbers = redact.words?.filter((word) => /^\d+$/.test(word)) ?? [];
  if (numbers.length === 0) return (yield* mapStringsInSteps(value, redact)) as Value;
  const redactNumber = (number: number): number => (numbers.includes(String(number)) ? 0 : number);
  return (yield* mapStringsInSteps(value, redact, 0, redactNumber)) as Value;
}

/** A media type with a secret is not used to decide about the contents. */
function redactType(mimeType: string, redact: Redact): string {
  return redact(mimeType) === mimeType ? mimeType : "application/octet-stream";
}

function* redactEncoded(data: string, redact: Redact): Steps<string> {
  const bytes = decodeBase64(data);
  const safe = yield* redactBytes(bytes, redact);
  return safe === bytes ? data : base64(safe);
}

/** Overwrites secrets in binary contents, in UTF-8 and UTF-16. All other bytes are unchanged. */
function* redactBytes(bytes: Uint8Array, { words = [] }: Redact): Steps<Uint8Array> {
  const long = words.filter((word) => word.length >= MIN_BINARY);
  if (long.length === 0) return bytes;
  const depth = bytes.byteLength > MAX_DECODED_BYTES ? 0 : undefined;
  // Escapes are decoded to characters, other text is one character for each byte of UTF-8.
  const narrowWords = [...new Set([...long, ...long.map(toBinaryUtf8)])];
  const narrow = yield* findEscaped(toBinaryString(bytes), narrowWords, depth);
  // Text in UTF-16 starts at an even or at an odd offset. Big-endian ASCII is found at the other.
  const wide: Range[] = [];
  for (const offset of [0, 1])
    for (const { start, end } of yield* findEscaped(
      utf16.decode(bytes.subarray(offset)),
      long,
      depth,
    ))
      wide.push({ start: 2 * start + offset, end: 2 * end + offset });
  const ranges = [...narrow, ...wide];
  if (ranges.length === 0) return bytes;
  const copy = bytes.slice();
  for (const { start, end } of ranges) copy.fill(0x2a, start, end);
  return copy;
}

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/** The bytes of a text in UTF-8, one character for each. */
function toBinaryUtf8(text: string): string {
  return toBinaryString(utf8Bytes(text));
}
