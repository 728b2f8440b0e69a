import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  type SourceLocation,
} from "../diagnostics/index.js";

/**
 * Use of a schema: the location of the operation or parameter, and a label for messages (`owner`,
 * `Pet.owner`).
 */
export interface SchemaUsage {
  readonly location: SourceLocation;
  readonly label: string;
}

/** Collects the diagnostics of one run, each once. */
export class DiagnosticCollector {
  private readonly collected: Diagnostic[] = [];
  private readonly seen = new Set<string>();

  add(code: DiagnosticCode, message: string, location?: SourceLocation, hint?: string): void {
    const key = `${code}\0${location?.file ?? ""}\0${location?.pointer ?? ""}\0${message}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.collected.push(diagnostic(code, message, location, hint));
  }

  /**
   * Collector for another document. It adds to this one, with the file as their location, and
   * ignores diagnostics of severity `info`.
   */
  forFile(file: string): DiagnosticCollector {
    const add: DiagnosticCollector["add"] = (code, message, location = { pointer: "#" }, hint) => {
      const fileLocation = { ...location, file: location.file ?? file };
      if (diagnostic(code, message, fileLocation).severity !== "info")
        this.add(code, message, fileLocation, hint);
    };
    return Object.assign(new DiagnosticCollector(), { add });
  }

  get list(): readonly Diagnostic[] {
    return this.collected;
  }
}
