/** Full results of which an agent got a part: stored as resources, or saved as files. */
import type { ResourceLink } from "@modelcontextprotocol/server";
import { base64, utf8Bytes } from "../data/bytes.js";
import type { Folder } from "../files/files.js";
import { type FileSource, saveFile } from "./save-file.js";
import { type Store, unlessUnavailable } from "../store/types.js";
import type { JsonSchema, ToolAnnotations, ToolInput } from "../types.js";
import { digestOf, withCall, withoutCall } from "./call-reference.js";
import { type FullResult, type Redact, REDACTED, redactFullResult } from "./redact.js";
import { addFacts, type NotedResult, type ResultFacts } from "./result-facts.js";

/** Content that `resources/read` returns. */
export type StoredContents = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** Store of results that were too large to be shown; see `createResultStore`. */
export interface ResultStore {
  /** Lifetime of a result, as a phrase. */
  readonly lifetimeText: string;
  /** True if all processes of the server read the same results. */
  readonly isShared?: true;
  /**
   * Stores a result of a tool; `undefined` when it exceeds the capacity of the store.
   * @throws StoreUnavailable if the store cannot be reached
   */
  store(tool: string, fullResult: FullResult): Awaitable<ResourceLink | undefined>;
  /**
   * Reads a result; `undefined` when the URI is unknown or expired.
   * @throws StoreUnavailable if the store cannot be reached
   */
  read(uri: string): Awaitable<StoredContents | undefined>;
  /** Returns the store of one caller, who cannot read results of others. */
  forCaller(caller: string): ResultStore;
}

type Awaitable<Value> = Value | Promise<Value>;

interface MemoryResultStore extends ResultStore {
  store(tool: string, fullResult: FullResult): ResourceLink | undefined;
  read(uri: string): StoredContents | undefined;
  forCaller(caller: string): MemoryResultStore;
}

const LIFETIME_MS = 600_000;
const LIFETIME_TEXT = `${LIFETIME_MS / 60_000} minutes`;

interface Entry {
  readonly result: FullResult;
  readonly caller: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * Creates a store in memory. Results expire after ten minutes, and new ones replace the oldest.
 * There are no timers: expired results are removed when another one is stored or read.
 *
 * The last part of a URI is random, URIs are not listed, and a result belongs to the caller who got
 * it, so that a leaked link is useless. MCP, Security Best Practices, "State Handle Hijacking".
 */
export function createResultStore(
  maxBytes: number,
  now: () => number = () => performance.now(),
): MemoryResultStore {
  return new MemoryStore(maxBytes, now).forCaller("");
}

class MemoryStore {
  /** Entries in the order of insertion, which is the order of expiry. */
  readonly #entries = new Map<string, Entry>();
  #total = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly now: () => number,
  ) {}

  forCaller(caller: string): MemoryResultStore {
    return {
      lifetimeText: LIFETIME_TEXT,
      forCaller: (other) => this.forCaller(other),
      store: (tool, fullResult) => this.#store(tool, fullResult, caller),
      read: (uri) => this.#read(uri, caller),
    };
  }

  #store(tool: string, fullResult: FullResult, caller: string): ResourceLink | undefined {
    const bytes = "text" in fullResult ? 2 * fullResult.text.length : fullResult.bytes.byteLength;
    if (bytes > this.maxBytes) return undefined;
    this.#makeRoom(bytes);
    const link = linkTo(tool, fullResult);
    const expiresAt = this.now() + LIFETIME_MS;
    this.#entries.set(link.uri, { result: fullResult, caller, bytes, expiresAt });
    this.#total += bytes;
    return link;
  }

  #read(uri: string, caller: string): StoredContents | undefined {
    const key = withoutCall(uri);
    const entry = this.#entries.get(key);
    if (entry?.caller !== caller) return undefined;
    if (entry.expiresAt <= this.now()) return void this.#drop(key, entry);
    return contentsOf(uri, entry.result);
  }

  #drop(uri: string, { bytes }: Entry): void {
    this.#entries.delete(uri);
    this.#total -= bytes;
  }

  #makeRoom(bytes: number): void {
    for (const [uri, entry] of this.#entries) {
      if (entry.expiresAt > this.now() && this.#total + bytes <= this.maxBytes) return;
      this.#drop(uri, entry);
    }
  }
}

/** The content of a result, as `resources/read` returns it. */
export function contentsOf(uri: string, result: FullResult): StoredContents {
  const { mimeType } = result;
  return "text" in result
    ? { uri, mimeType, text: result.text }
    : { uri, mimeType, blob: base64(result.bytes) };
}

function linkTo(tool: string, fullResult: FullResult): ResourceLink {
  return {
    type: "resource_link",
    uri: `result://${tool}/${crypto.randomUUID()}`,
    name: `${tool} result`,
    mimeType: fullResult.mimeType,
    size: byteLengthOf(fullResult),
  };
}

/** First part of the keys of results in a store. */
const KEY_KIND = "result";

/** True for the key of a result. */
export function isResultKey(key: string): boolean {
  return key.startsWith(`["${KEY_KIND}",`);
}

/**
 * Creates a store whose results all processes can read. The caller is part of the key.
 * @param maxBytes maximum size of one result
 */
export function createSharedResultStore(
  store: Store,
  maxBytes: number,
  caller: string = "",
): ResultStore {
  const keyOf = (uri: string): string => JSON.stringify([KEY_KIND, caller, uri]);
  return {
    lifetimeText: LIFETIME_TEXT,
    isShared: true,
    forCaller: (other) => createSharedResultStore(store, maxBytes, other),
    async store(tool, fullResult) {
      const link = linkTo(tool, fullResult);
      if ((link.size ?? 0) > maxBytes) return undefined;
      const contents = JSON.stringify(contentsOf(link.uri, fullResult));
      await store.set(keyOf(link.uri), contents, LIFETIME_MS);
      return link;
    },
    async read(uri) {
      const contents = await store.get(keyOf(withoutCall(uri)));
      return contents === undefined
        ? undefined
        : { ...(JSON.parse(contents) as StoredContents), uri };
    },
  };
}

function byteLengthOf(fullResult: FullResult): number {
  const bytes = "text" in fullResult ? utf8Bytes(fullResult.text) : fullResult.bytes;
  return bytes.byteLength;
}

interface LinkOptions {
  readonly tool: {
    readonly name: string;
    readonly outputSchema?: JsonSchema | undefined;
  };
  readonly call: {
    readonly tool: { readonly annotations: Pick<ToolAnnotations, "readOnlyHint"> };
    readonly input: ToolInput;
  };
  /** True if its request may have changed something. */
  readonly isWrite: boolean;
  /** Absent: results are not stored. */
  readonly resultStore?: ResultStore;
  /** Tool that reads stored results. */
  readonly resultReader?: string | undefined;
  /** Absent: files are not saved. */
  readonly files?: Folder;
  readonly redact: Redact;
  /** The response whose file is saved. Absent: a file is named after the tool. */
  readonly source?: FileSource;
}

/**
 * Adds a link to the full result: to a saved file when there is a folder for files, otherwise to a
 * stored result, or to one that is read by repeating the call.
 */
export async function linkFullResult<Result extends NotedResult>(
  noted: Result,
  received: FullResult,
  options: LinkOptions,
): Promise<Result> {
  const fullResult = await redactFullResult(received, options.redact);
  const store = (): Promise<ResultFacts | undefined> => storeResult(fullResult, options);
  const facts = (await saveFile(fullResult, options, store)) ?? (await store());
  const { notes = [], ...others } = facts ?? { notes: [tooLargeNote(fullResult)] };
  const hidden = isHiddenLater(noted.result, received, fullResult) ? [HIDDEN_NOTE] : [];
  const added = { ...others, notes: [...notes, ...hidden] };
  return { ...noted, ...addFacts(noted, added, options.tool.outputSchema) };
}

const HIDDEN_NOTE = `Hidden by this server in the full result: its credentials. They are shown as ${REDACTED}.`;

/** True if redaction has changed the full result, but not the part of it that is shown. */
function isHiddenLater(
  shown: NotedResult["result"],
  received: FullResult,
  safe: FullResult,
): boolean {
  if (!("text" in received && "text" in safe) || received.text === safe.text) return false;
  return !JSON.stringify(shown).includes(REDACTED);
}

async function storeResult(
  fullResult: FullResult,
  options: LinkOptions,
): Promise<ResultFacts | undefined> {
  const { resultStore, tool } = options;
  const stored = resultStore?.store(tool.name, fullResult);
  const link = await Promise.resolve(stored).catch(unlessUnavailable(NOT_STORED));
  if (link !== NOT_STORED && link) {
    const uri = (await callUri(link.uri, fullResult, options)) ?? link.uri;
    const period = `for ${resultStore?.lifetimeText} `;
    return linkFacts({ ...link, uri }, fullResult, { period }, options);
  }
  const facts = await repeatableFacts(fullResult, options);
  if (link !== NOT_STORED) return facts;
  return { ...facts, notes: [NOT_STORED, ...(facts?.notes ?? [])] };
}

/**
 * The link to a full result.
 * @param period how long it can be read
 * @param condition what reading it does
 */
function linkFacts(
  link: ResourceLink,
  fullResult: FullResult,
  { period = "", condition = "" },
  { resultReader }: LinkOptions,
): ResultFacts {
  const isText = "text" in fullResult;
  const reading =
    isText && resultReader !== undefined ? ` ${readingText(resultReader, fullResult)}` : "";
  const place = `${period}as the resource ${link.uri}${condition}`;
  return {
    notes: [`The full result (${link.size} bytes) is available ${place}.${reading}`],
    values: { resource: link.uri },
    blocks: [link],
  };
}

function readingText(
  reader: string,
  { paths = [] }: Extract<FullResult, { text: string }>,
): string {
  const picked =
    paths.length > 0 ? `, or some fields of it with pick ${JSON.stringify(paths)}` : "";
  return `${reader} reads it in parts${picked}.`;
}

/** The link to a result that is read by repeating its call. A write is not repeated. */
async function repeatableFacts(
  fullResult: FullResult,
  options: LinkOptions,
): Promise<ResultFacts | undefined> {
  const { tool, resultReader, isWrite } = options;
  if (resultReader === undefined) return undefined;
  if (isWrite) return { notes: [tooLargeNote(fullResult), notRepeatedNote(tool.name)] };
  const uri = await callUri(`result://${tool.name}`, fullResult, options);
  if (uri === undefined) return undefined;
  const link = { ...linkTo(tool.name, fullResult), uri };
  const condition = `, for which ${tool.name} is called again`;
  return linkFacts(link, fullResult, { condition }, options);
}

function notRepeatedNote(tool: string): string {
  return `The full result is not stored. Do not call ${tool} again to see it: that would send it again.`;
}

function tooLargeNote(fullResult: FullResult): string | undefined {
  return "bytes" in fullResult ? "It is too large to be shown." : undefined;
}

/** Adds the call to the URI of its result, if the call only reads and has no secret. */
async function callUri(
  uri: string,
  fullResult: FullResult,
  { call: { tool, input }, redact }: LinkOptions,
): Promise<string | undefined> {
  if (!tool.annotations.readOnlyHint) return undefined;
  const digest = "text" in fullResult ? await digestOf(fullResult.text) : "";
  const whole = withCall(uri, input, digest);
  const values = JSON.stringify(input);
  return redact(values) === values ? whole : undefined;
}

const NOT_STORED =
  "The full result could not be stored, because the store of this server cannot be reached.";
