import { isAdjective, singularPhrase } from "../inflect.js";

/** Last words of a class name that say only that it is one. */
const CONTROLLER = new Set([
  "controller",
  "api",
  "apis",
  "service",
  "resource",
  "handler",
  "endpoint",
  "endpoints",
  "router",
  "rest",
  "routes",
  "client",
  "ctrl",
]);

/**
 * `PetsController` → pets alone; `admin.users` → admin, users; `files.remote` → remote files;
 * `ApiController`, `api`, `v1` and their like → nothing.
 */
export function groupWords(groups: readonly string[][]): string[] {
  const controller = groups.findLast(
    (words) => CONTROLLER.has(words.at(-1) as string) && words.length > 1,
  );
  if (controller)
    return withoutNoise(controller.slice(0, -1)).length > 0 ? controller.slice(0, -1) : [];
  const found: string[] = [];
  groups.forEach((words, i) => {
    if (i > 0 && words.length === 1 && isAdjective(words[0]))
      found.splice(-1, 0, words[0] as string);
    else
      found.push(
        ...(i < groups.length - 1 && !isAdjective(groups[i + 1]?.[0])
          ? singularPhrase(words)
          : words),
      );
  });
  return withoutNoise(found);
}

const NOISE = new Set(["api", "default", "rest", "public", "main", "root"]);

/** Words of a group that say nothing. */
export function withoutNoise(words: readonly string[]): string[] {
  return words.filter((word) => !NOISE.has(word));
}
