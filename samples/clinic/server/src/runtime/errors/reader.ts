/** Whether there is a tool of this name. */
export type Has = (name: string) => boolean;

/**
 * The tool that shows what another one may have changed, by their names: `find_visits` for
 * `book_visit`, `get_pet_photo` for `upload_pet_photo`. `undefined` when there is none.
 * @param namespace the first word of every tool's name
 */
export function readerOf(
  tool: string,
  namespace: string | undefined,
  has: Has,
): string | undefined {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const noun = tool.slice(prefix.length).split("_").slice(1).join("_");
  if (noun === "" || !tool.startsWith(prefix)) return undefined;
  const many = [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/, "ies")];
  const names = [
    ...["find", "list", "search"].flatMap((verb) => many.map((one) => `${verb}_${one}`)),
    `get_${noun}`,
  ];
  return names.map((name) => prefix + name).find((name) => name !== tool && has(name));
}
