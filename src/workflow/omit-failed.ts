import { diagnostic, type Diagnostic, isError } from "../diagnostics/index.js";

/** Diagnostics in which the errors of single workflows have become warnings. */
interface Omissions {
  readonly diagnostics: readonly Diagnostic[];
  /** Pointers of the failed workflows. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Replaces the errors of single workflows of a file by one warning each, so that they cost only
 * that workflow. Errors outside of workflows stay.
 */
export function omitFailedWorkflows(diagnostics: readonly Diagnostic[], file: string): Omissions {
  const failed = new Set<string>();
  const remaining = diagnostics.flatMap((found): readonly Diagnostic[] => {
    const pointer = isError(found) ? workflowPointer(found, file) : undefined;
    if (pointer === undefined) return [found];
    if (failed.has(pointer)) return [];
    failed.add(pointer);
    const message = `${found.message.replace(/(?<![.?])$/, ".")} The workflow is left out.`;
    return [diagnostic("workflow-omitted", message, found.location, found.hint)];
  });
  return { diagnostics: remaining, failed };
}

function workflowPointer({ location }: Diagnostic, file: string): string | undefined {
  return location?.file === file
    ? /^#\/workflows\/\d+(?=\/|$)/.exec(location.pointer)?.[0]
    : undefined;
}
