import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the folder of this package, which contains `templates/` and the copied sources. It is
 * several folders above this file in the sources, and one above the built program.
 * @throws when the package is incomplete
 */
export function packageRoot(): string {
  for (
    let folder = dirname(fileURLToPath(import.meta.url)), above = "";
    folder !== above;
    above = folder, folder = dirname(folder)
  ) {
    if (existsSync(join(folder, "templates", "package.json.hbs"))) return folder;
  }
  throw new Error("The templates of mcp-gen are missing. Reinstall mcp-gen.");
}
