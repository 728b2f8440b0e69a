import { dirname, isAbsolute, join } from "node:path";
import type { Curation, Settings } from "./types.js";

/**
 * What a curation says about files. Paths in it are relative to the file they stand in.
 * @param file path of the curation file, as the program would open it
 */
export function settingsOf({ spec, output, overlays, workflows, templates, namespace }: Curation, file: string): Settings {
  const at = (path: string): string => (isAbsolute(path) || /^https?:/i.test(path) ? path : join(dirname(file), path));
  return {
    ...(spec !== undefined && { spec: at(spec) }),
    ...(output !== undefined && { output: at(output) }),
    ...(overlays && { overlays: overlays.map(at) }),
    ...(workflows && { workflows: workflows.map(at) }),
    ...(templates !== undefined && { templates: at(templates) }),
    ...(namespace !== undefined && { namespace }),
  };
}
