import { canParseUrl } from "../runtime/data/urls.js";
import { quoteText } from "../diagnostics/text.js";
import { diagnostic, type Diagnostic, isError } from "../diagnostics/index.js";
import type { LoadOptions } from "../load/index.js";
import { isUnavailable, type OpenedFile, openSource, sourceKey } from "../load/open-source.js";
import { type ApiModel, buildModel } from "../model/index.js";
import { readWorkflows, type SourceDescription, type WorkflowFile } from "../workflow/index.js";

/** Workflow file with the resolved targets of its source descriptions. */
export interface WorkflowSourceFile {
  readonly open: OpenedFile;
  readonly file: WorkflowFile;
  readonly isMain: boolean;
  readonly sources: Map<string, ResolvedSource>;
}

type ResolvedSource =
  | { readonly kind: "api"; readonly key: string }
  | { readonly kind: "arazzo"; readonly key: string }
  | { readonly kind: "asyncapi" };

/** API that a workflow file names, in addition to the main document. */
interface SourceApi {
  readonly name: string;
  readonly open: OpenedFile;
  readonly model: ApiModel;
}

/** A document that the server is generated from. */
export interface MainDocument {
  /** Name of the API in a server of several; `""` for the only API of a server. */
  readonly api: string;
  readonly source: string;
  readonly name: string;
  readonly url?: string;
  readonly model: ApiModel;
}

/** Key of a main document among the APIs. No file has it: keys of files are absolute. */
export const mainKey = ({ api }: Pick<MainDocument, "api">): string => `main ${api}`;

/** Maximum number of sources. */
const MAX_FILES = 50;

/** Reads workflow files and the workflow files and APIs that they name. Each file is read once. */
export class SourceReader {
  readonly files = new Map<string, WorkflowSourceFile>();
  readonly apis = new Map<string, SourceApi>();
  readonly diagnostics: Diagnostic[] = [];
  readonly opened: OpenedFile[] = [];
  private readonly visited = new Set<WorkflowSourceFile>();

  constructor(
    private readonly documents: readonly MainDocument[],
    private readonly options: LoadOptions,
  ) {}

  /** Reads the named files first, so that their `$self` is known before they are referred to. */
  async read(paths: readonly string[]): Promise<void> {
    const namedFiles: WorkflowSourceFile[] = [];
    for (const path of paths) {
      if (path === "-" || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
        this.diagnostics.push(
          diagnostic(
            "workflow-source",
            `${quoteText(path)} is not a file; workflow documents are read from files.`,
            undefined,
            "Save it as a file and pass its path.",
          ),
        );
        continue;
      }
      const result = await openSource(path, this.options);
      if (result.problem) this.diagnostics.push(result.problem);
      else
        namedFiles.push(...[this.parse(result.value, true)].filter((read) => read !== undefined));
    }
    for (const read of namedFiles) await this.readSources(read);
  }

  private parse(open: OpenedFile, isMain: boolean): WorkflowSourceFile | undefined {
    const knownFile = this.files.get(open.key);
    if (knownFile) return knownFile;
    this.opened.push(open);
    const { file, diagnostics } = readWorkflows(open.root, open.label, open.name);
    for (const found of [...open.warnings, ...diagnostics]) this.diagnostics.push(found);
    if (!file) return undefined;
    const read: WorkflowSourceFile = { open, file, isMain, sources: new Map() };
    this.files.set(open.key, read);
    return read;
  }

  private async readSources(read: WorkflowSourceFile): Promise<void> {
    if (this.visited.has(read)) return;
    this.visited.add(read);
    for (const source of read.file.sources) {
      const target = await this.readSource(read, source);
      if (target) read.sources.set(source.name, target);
    }
  }

  /** Finds a workflow file by its `$self` (Arazzo 1.1, "Identity-Based Referencing"). */
  private findBySelf(address: string): ResolvedSource | undefined {
    const result = [...this.files].find(([, { file }]) => file.self === address);
    return result && { kind: "arazzo", key: result[0] };
  }

  private async readSource(
    from: WorkflowSourceFile,
    source: SourceDescription,
  ): Promise<ResolvedSource | undefined> {
    if (source.type === "asyncapi") return { kind: "asyncapi" };
    for (const address of candidateAddresses(source, from.file)) {
      const key = from.open.resolveKey(address);
      const main = source.type === "openapi" ? this.findMain(from, address) : undefined;
      if (main) return { kind: "api", key: mainKey(main) };
      const knownFile = key.problem ? undefined : this.files.get(key.value);
      if (knownFile && source.type === "arazzo")
        return { kind: "arazzo", key: key.value as string };
      const bySelf = source.type === "arazzo" ? this.findBySelf(address) : undefined;
      if (bySelf) return bySelf;
      if (this.files.size + this.apis.size >= MAX_FILES)
        return this.fail(
          source,
          diagnostic("load-too-large", `There are more than ${MAX_FILES} sources`),
        );
      const openedFiles = await from.open.open(address);
      if (!openedFiles.problem)
        return source.type === "arazzo"
          ? await this.readArazzo(openedFiles.value)
          : await this.readApi(source, openedFiles.value);
      if (!isUnavailable(openedFiles.problem)) return this.fail(source, openedFiles.problem);
      const assumed = this.assumeMainDocument(
        from.file,
        source,
        openedFiles.problem,
        address === candidateAddresses(source, from.file).at(-1),
      );
      if (assumed) return assumed;
    }
    return undefined;
  }

  /** Finds the main document that an address names, whatever hosts are allowed. */
  private findMain({ open }: WorkflowSourceFile, address: string): MainDocument | undefined {
    const key = open.resolveKey(address);
    const isUrl = /^https?:/i.test(address);
    return this.documents.find(({ source, url }) => {
      const main = sourceKey(source, url);
      if (isUrl && sourceKey(address, address) === main) return true;
      return (!key.problem && key.value === main) || open.refersTo(address, source);
    });
  }

  private async readArazzo(open: OpenedFile): Promise<ResolvedSource | undefined> {
    const read = this.parse(open, false);
    if (read) await this.readSources(read);
    return read && { kind: "arazzo", key: open.key };
  }

  private async readApi(
    source: SourceDescription,
    open: OpenedFile,
  ): Promise<ResolvedSource | undefined> {
    if (this.apis.has(open.key)) return { kind: "api", key: open.key };
    this.opened.push(open);
    const { document, diagnostics } = await open.loadAsApi();
    const built = document ? buildModel(document) : { diagnostics: [] };
    // Warnings about another API are reported where its operations are used.
    const result = [...diagnostics, ...built.diagnostics]
      .filter(isError)
      .map((d) =>
        d.location && d.location.file === undefined
          ? { ...d, location: { ...d.location, file: open.label } }
          : d,
      );
    for (const found of result) this.diagnostics.push(found);
    if (!built.model) return undefined;
    const { model } = built;
    const same = this.documents.find((main) => isSameApi(main.model, model));
    if (same) return { kind: "api", key: mainKey(same) };
    this.apis.set(open.key, { name: source.name, open, model });
    return { kind: "api", key: open.key };
  }

  /**
   * Assumes that an unavailable source is the main document: published workflow files often have
   * network addresses.
   */
  private assumeMainDocument(
    file: WorkflowFile,
    source: SourceDescription,
    problem: Diagnostic,
    isLast: boolean,
  ): ResolvedSource | undefined {
    if (!isLast) return undefined;
    const main = source.type === "openapi" ? this.likelyMain(file, source) : undefined;
    if (!main) return this.fail(source, problem);
    this.diagnostics.push(
      diagnostic(
        "workflow-source-assumed",
        `The source ${quoteText(source.name)} was not read: ${reasonOf(problem)}. ` +
          (main.api === ""
            ? "It is assumed to be the main document."
            : `It is assumed to be the document of ${main.api}.`),
        source.location,
        "Use the path of the main document as its url, or copy the source next to this file.",
      ),
    );
    return { kind: "api", key: mainKey(main) };
  }

  /** The main document that an unavailable source may be: the only one, or that of its file name. */
  private likelyMain(
    { sources }: WorkflowFile,
    { url }: SourceDescription,
  ): MainDocument | undefined {
    const [main, ...others] = this.documents;
    const isOnly = sources.filter(({ type }) => type === "openapi").length <= 1;
    if (isOnly && others.length === 0) return main;
    const fileName = url.split(/[/\\]/).at(-1);
    const [same, ...more] = this.documents.filter(({ name }) => name === fileName);
    return more.length === 0 ? same : undefined;
  }

  /** Reports an error inside a source there, and an unavailable source where it is named. */
  private fail(source: SourceDescription, problem: Diagnostic): undefined {
    if (problem.location?.line !== undefined) return void this.diagnostics.push(problem);
    this.diagnostics.push(
      diagnostic(
        "workflow-source",
        `The source ${quoteText(source.name)} cannot be used: ${reasonOf(problem)}.`,
        source.location,
        problem.hint,
      ),
    );
  }
}

/**
 * True when a source is a copy of the main document, which may come from stdin or from another
 * address. Both are then one API with one set of credentials.
 */
function isSameApi(main: ApiModel, other: ApiModel): boolean {
  const facts = ({ title, version, servers }: ApiModel): string =>
    JSON.stringify([title, version, servers]);
  const knownFile = new Set(other.operations.map(({ method, path }) => `${method} ${path}`));
  return (
    facts(main) === facts(other) &&
    main.operations.every(({ method, path }) => knownFile.has(`${method} ${path}`))
  );
}

/** Message of a problem as a clause. */
function reasonOf({ message }: Diagnostic): string {
  const text = message.replace(/^The \$ref /, "").replace(/\.$/, "");
  return text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/**
 * Candidate addresses of a source: relative to the file, and to its `$self` (Arazzo 1.1,
 * "Establishing the Base URI").
 */
function candidateAddresses({ url }: SourceDescription, { self }: WorkflowFile): readonly string[] {
  const address = url.replace(/#.*$/s, "");
  const absolute =
    self !== undefined && canParseUrl(self) && !canParseUrl(address)
      ? [new URL(address, self).href]
      : [];
  return [address, ...absolute];
}
