import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { InMemoryFileSystemHost, Project, ts } from "ts-morph";

/** Type error at an offset of a file. */
export interface TypeProblem {
  readonly path: string;
  /** Offset in the file's text. */
  readonly at: number;
  /** `Property 'x' does not exist on type 'Y'. (TS2339)` */
  readonly message: string;
}

/** Contents by relative path that replace those on disk. `null`: deleted. */
export type FileOverlay = ReadonlyMap<string, string | null>;

/**
 * Type-checks files of a project before they are written. Reads only imported files.
 * @param root folder of the project
 * @param paths files to check, relative to it
 */
export function typeProblems(
  root: string,
  paths: readonly string[],
  overlay: FileOverlay,
): readonly TypeProblem[] {
  const fileSystem = new ProjectFiles(root, overlay);
  const project = new Project({
    fileSystem,
    compilerOptions: compilerOptions(fileSystem, root),
    skipAddingFilesFromTsConfig: true,
  });
  const files = paths.map((path) => ({
    path,
    file: project.addSourceFileAtPath(join(root, path)),
  }));
  return files.flatMap(({ path, file }) =>
    file.getPreEmitDiagnostics().flatMap((problem) => {
      const offset = problem.getStart();
      // Errors without a position concern the project, such as types that are not installed.
      if (offset === undefined) return [];
      const text = ts.flattenDiagnosticMessageText(problem.compilerObject.messageText, " ");
      return [
        {
          path,
          at: offset,
          message: `${text.replace(/\s+/g, " ")} (TS${problem.getCode()})`,
        },
      ];
    }),
  );
}

/** Compiler options of the project, or defaults if it has no readable ones. */
function compilerOptions(files: ProjectFiles, root: string): ts.CompilerOptions {
  const path = join(root, "tsconfig.json");
  const { config } = files.fileExistsSync(path)
    ? (ts.parseConfigFileTextToJson(path, files.readFileSync(path)) as {
        readonly config?: { readonly compilerOptions?: object };
      })
    : {};
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      module: "NodeNext",
      strict: true,
      target: "ES2022",
      skipLibCheck: true,
      ...config?.compilerOptions,
    },
    root,
    path,
  );
  return { ...options, noEmit: true };
}

/** File system of the project with the overlay applied. Nothing is written. */
class ProjectFiles extends InMemoryFileSystemHost {
  readonly #overlay: ReadonlyMap<string, string | null>;

  constructor(root: string, overlay: FileOverlay) {
    super();
    this.#overlay = new Map(
      [...overlay].map(([path, text]) => [join(root, path).replaceAll("\\", "/"), text]),
    );
    for (const [path, text] of this.#overlay) if (text !== null) super.writeFileSync(path, text);
  }

  override readFileSync(path: string): string {
    return this.#isHere(path) ? super.readFileSync(path) : readFileSync(path, "utf8");
  }

  override fileExistsSync(path: string): boolean {
    if (this.#overlay.get(path) === null) return false;
    return this.#isHere(path) || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  }

  override directoryExistsSync(path: string): boolean {
    return (
      super.directoryExistsSync(path) ||
      statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    );
  }

  override realpathSync(path: string): string {
    return !this.#isHere(path) && existsSync(path) ? realpathSync(path) : path;
  }

  #isHere(path: string): boolean {
    return super.fileExistsSync(path);
  }
}
