import { quoteText } from "../diagnostics/clean.js";
import { diagnostic, type Diagnostic, isError } from "../diagnostics/index.js";
import type { LoadOptions } from "../load/index.js";
import { isOutOfReach, keyOfSource, type OpenFile, openSource } from "../load/sources.js";
import { type ApiModel, toModel } from "../model/index.js";
import { readWorkflows, type SourceDescription, type WorkflowFile } from "../workflow/index.js";

/** A workflow file, and what its source descriptions lead to. */
export interface ReadFile {
  readonly open: OpenFile;
  readonly file: WorkflowFile;
  readonly isMain: boolean;
  readonly sources: Map<string, ReadSource>;
}

export type ReadSource = { readonly kind: "api"; readonly key: string } | { readonly kind: "arazzo"; readonly key: string } | { readonly kind: "asyncapi" };

/** An API that a workflow file names beside the document. */
export interface ReadApi {
  readonly name: string;
  readonly open: OpenFile;
  readonly model: ApiModel;
}

/** The document that the server is made from. */
export interface MainDocument {
  readonly source: string;
  readonly name: string;
  readonly url?: string;
}

/** Stands for the document itself among the keys of APIs. */
export const MAIN = "";

/** More documents than this are a mistake, or an attack. */
const mostFiles = 50;

/** Reads workflow files and everything that they name: other workflow files, and APIs. Each file is read once. */
export class SourceReader {
  readonly files = new Map<string, ReadFile>();
  readonly apis = new Map<string, ReadApi>();
  readonly diagnostics: Diagnostic[] = [];
  readonly opened: OpenFile[] = [];
  private readonly mainKey: string;

  constructor(
    private readonly main: MainDocument,
    private readonly options: LoadOptions,
  ) {
    this.mainKey = keyOfSource(main.source, main.url);
  }

  async read(path: string): Promise<void> {
    const found = await openSource(path, this.options);
    if (found.problem) this.diagnostics.push(found.problem);
    else await this.readFile(found.value, true);
  }

  private async readFile(open: OpenFile, isMain: boolean): Promise<ReadFile | undefined> {
    const known = this.files.get(open.key);
    if (known) {
      if (isMain && !known.isMain) this.files.set(open.key, { ...known, isMain });
      return known;
    }
    this.opened.push(open);
    const { file, diagnostics } = readWorkflows(open.root, open.label, open.name);
    this.diagnostics.push(...open.warnings, ...diagnostics);
    if (!file) return undefined;
    const read: ReadFile = { open, file, isMain, sources: new Map() };
    this.files.set(open.key, read);
    for (const source of file.sources) {
      const target = await this.readSource(read, source);
      if (target) read.sources.set(source.name, target);
    }
    return read;
  }

  private async readSource(from: ReadFile, source: SourceDescription): Promise<ReadSource | undefined> {
    if (source.type === "asyncapi") return { kind: "asyncapi" };
    for (const address of addressesOf(source, from.file)) {
      const key = from.open.keyOf(address);
      if (source.type === "openapi" && ((!key.problem && key.value === this.mainKey) || from.open.leadsTo(address, this.main.source))) return { kind: "api", key: MAIN };
      const known = key.problem ? undefined : this.files.get(key.value);
      if (known && source.type === "arazzo") return { kind: "arazzo", key: key.value as string };
      if (this.files.size + this.apis.size >= mostFiles) return this.fail(source, diagnostic("load-too-large", `There are more than ${mostFiles} sources`));
      const opened = await from.open.open(address);
      if (!opened.problem) return source.type === "arazzo" ? await this.readArazzo(opened.value) : await this.readApi(source, opened.value);
      if (!isOutOfReach(opened.problem)) return this.fail(source, opened.problem);
      const assumed = this.assumed(from.file, source, opened.problem, address === addressesOf(source, from.file).at(-1));
      if (assumed) return assumed;
    }
    return undefined;
  }

  private async readArazzo(open: OpenFile): Promise<ReadSource | undefined> {
    const read = await this.readFile(open, false);
    return read ? { kind: "arazzo", key: open.key } : undefined;
  }

  private async readApi(source: SourceDescription, open: OpenFile): Promise<ReadSource | undefined> {
    if (this.apis.has(open.key)) return { kind: "api", key: open.key };
    this.opened.push(open);
    const { document, diagnostics } = await open.asApi();
    const made = document ? toModel(document) : { diagnostics: [] };
    // What is weakened in another API is of interest where its operations are used, and is said there.
    const found = [...diagnostics, ...made.diagnostics].filter(isError).map((one) => (one.place && one.place.file === undefined ? { ...one, place: { ...one.place, file: open.label } } : one));
    this.diagnostics.push(...found);
    if (!made.model) return undefined;
    this.apis.set(open.key, { name: source.name, open, model: made.model });
    return { kind: "api", key: open.key };
  }

  /** A source that cannot be had is most likely the document of this run: workflow files are published with addresses on the network. */
  private assumed(file: WorkflowFile, source: SourceDescription, problem: Diagnostic, isLast: boolean): ReadSource | undefined {
    if (!isLast) return undefined;
    const apis = file.sources.filter(({ type }) => type === "openapi");
    const sameName = source.url.split(/[/\\]/).at(-1) === this.main.name;
    if (source.type !== "openapi" || (apis.length > 1 && !sameName)) return this.fail(source, problem);
    this.diagnostics.push(diagnostic("workflow-source-assumed", `The source ${quoteText(source.name)} is not read: ${reason(problem)}. It is taken to be the document that the server is made from.`, source.place, "Name that document as its url, or put a copy of the source beside this file."));
    return { kind: "api", key: MAIN };
  }

  private fail(source: SourceDescription, problem: Diagnostic): undefined {
    this.diagnostics.push(diagnostic("workflow-source", `The source ${quoteText(source.name)} cannot be used: ${reason(problem)}.`, source.place, problem.hint));
  }
}

function reason({ message }: Diagnostic): string {
  const text = message.replace(/^The \$ref /, "").replace(/\.$/, "");
  return /^There is /.test(text) ? `there${text.slice(5)}` : text.replace(/^The /, "the ");
}

/** Where a source may be: beside the file; and, when the file says who it is, beside that. Arazzo 1.1, "Establishing the Base URI". */
function addressesOf({ url }: SourceDescription, { self }: WorkflowFile): readonly string[] {
  const address = url.replace(/#.*$/s, "");
  const absolute = self !== undefined && URL.canParse(self) && !URL.canParse(address) ? [new URL(address, self).href] : [];
  return [address, ...absolute];
}
