/** Names of tools that several APIs have, which are renamed after their APIs. */

/** The names that the tools of one name have since several APIs have it, as the end of a sentence. */
export function describeRenamed(
  name: string,
  tools: readonly { readonly name: string; readonly api?: string }[],
): string | undefined {
  const renamed = tools.flatMap((tool) =>
    tool.api !== undefined && tool.name === `${tool.api}_${name}` ? [tool.name] : [],
  );
  return renamed.length < 2 ? undefined : `; several APIs have it: ${renamed.join(" or ")}.`;
}
