import { dirname, isAbsolute, join } from "node:path";
import type { Curation, Settings } from "./types.js";

/**
 * What a curation says about files. Paths in it are relative to the file they stand in; those that
 * somebody wrote on Windows mean the same everywhere.
 * @param file path of the curation file, as the program would open it
 */
export function settingsOf(
  { spec, output, overlays, workflows, templates, namespace }: Curation,
  file: string,
): Settings {
  const at = (path: string): string =>
    /^https?:/i.test(path) ? path : below(dirname(file), path.replaceAll("\\", "/"));
  return {
    ...(spec !== undefined && { spec: at(spec) }),
    ...(output !== undefined && { output: at(output) }),
    ...(overlays && { overlays: overlays.map(at) }),
    ...(workflows && { workflows: workflows.map(at) }),
    ...(templates !== undefined && { templates: at(templates) }),
    ...(namespace !== undefined && { namespace }),
  };
}

function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
