/** What the three tools are called. */
export interface DiscoveryNames {
  readonly search: string;
  readonly describe: string;
  readonly call: string;
}

/**
 * Names with the API's prefix that no tool of the API has.
 * @param taken whether a tool has a name already
 */
export function discoveryNames(
  namespace: string | undefined,
  taken: (name: string) => boolean,
): DiscoveryNames {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const free = (verb: string, noun: string): string => {
    for (let n = 1; ; n++) {
      const name =
        prefix +
        (n === 1
          ? `${verb}_${noun}`
          : n === 2
            ? `${verb}_api_${noun}`
            : `${verb}_api_${noun}_${n - 1}`);
      if (!taken(name)) return name;
    }
  };
  return {
    search: free("search", "tools"),
    describe: free("describe", "tools"),
    call: free("call", "tool"),
  };
}
