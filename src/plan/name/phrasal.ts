/** Verbs of two words, and what may stand behind the first: `log in`, `check out`. */
const PARTICLES: Readonly<Record<string, string>> = {
  log: "in out off on",
  sign: "in out up off on",
  check: "in out",
  opt: "in out",
  power: "on off up down",
  turn: "on off",
  scale: "up down in out",
  roll: "back out",
  shut: "down",
  clean: "up",
  look: "up",
  fail: "over back",
  wake: "up",
};

/** True for the two words of one verb. */
export function isPhrasal(verb: string | undefined, particle: string | undefined): boolean {
  return (
    verb !== undefined &&
    particle !== undefined &&
    Object.hasOwn(PARTICLES, verb) &&
    (PARTICLES[verb] as string).split(" ").includes(particle)
  );
}

/**
 * A verb of two words as one, where it stands first or last: `bookings, check, in` → bookings,
 * check_in.
 */
export function joinPhrasal(words: readonly string[]): string[] {
  const at = isPhrasal(words[0], words[1])
    ? 0
    : isPhrasal(words.at(-2), words.at(-1))
      ? words.length - 2
      : -1;
  return at < 0
    ? [...words]
    : [
        ...words.slice(0, at),
        `${words[at] as string}_${words[at + 1] as string}`,
        ...words.slice(at + 2),
      ];
}
