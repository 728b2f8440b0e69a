import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of this package, which holds `templates/` and the sources that are copied: some
 * folders above this file when it runs as source, one above when it is part of the built program.
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
  throw new Error("The templates of mcp-gen are missing; install it again");
}
