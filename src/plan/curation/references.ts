import { didYouMean, type Place } from "../../diagnostics/index.js";
import type { Findings } from "../findings.js";

/** Fills in `{tool:name}` in texts that people wrote: the name that the tool has in the end. */
export class References {
  /**
   * @param names every name that a tool may be called by in the file, and what it is called in the
   *   end
   */
  constructor(
    private readonly names: ReadonlyMap<string, string>,
    private readonly findings: Findings,
  ) {}

  /** The final name of a tool by any that the file may call it by. */
  find(name: string): string | undefined {
    return this.names.get(name);
  }

  get known(): Iterable<string> {
    return this.names.keys();
  }

  /** A name without a tool is an error with the nearest right one. */
  resolve(text: string, place: Place): string {
    return text.replace(/\{tool:\s*([^{}]*?)\s*\}/g, (whole, name: string) => {
      const found = this.names.get(name);
      if (found === undefined)
        this.findings.add(
          "curation-reference",
          `${whole} names no tool${didYouMean(name, this.names.keys()) || "."}`,
          place,
          "Correct the name.",
        );
      return found ?? name;
    });
  }
}
