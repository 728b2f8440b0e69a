import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readConfiguration } from "../../configuration/index.js";
import { CONFIGURATION_FILE } from "../configuration.js";

/**
 * Finds the folder whose `mcp-gen.yaml` has a project as its output: the project, a folder above it
 * in the same repository, or, outside of a repository, the one above it. Further folders may be
 * those of other people.
 */
export async function findConfigurationFolder(project: string): Promise<string | undefined> {
  const folder = resolve(project);
  for (const candidate of [folder, ...foldersAbove(folder)])
    if (await configures(candidate, folder)) return candidate;
  return undefined;
}

function foldersAbove(folder: string): readonly string[] {
  const above: string[] = [];
  for (let at = dirname(folder), below = folder; at !== below; below = at, at = dirname(at)) {
    above.push(at);
    if (existsSync(join(at, ".git"))) return above;
  }
  return above.slice(0, 1);
}

/** Tests whether the configuration of a folder has a project as its output. */
async function configures(folder: string, project: string): Promise<boolean> {
  const file = join(folder, CONFIGURATION_FILE);
  if (!existsSync(file) || !existsSync(project)) return false;
  const { configuration } = await readConfiguration(file);
  const output = configuration?.settings.output;
  const target = output === undefined ? undefined : resolve(folder, output);
  return (
    target !== undefined && existsSync(target) && realpathSync(target) === realpathSync(project)
  );
}
