import { type DockerText, trusted } from "./brand.js";
import { proseLine } from "./text.js";

/**
 * A `#` comment of a Dockerfile: the text on one line. It is no parser directive, because those
 * have no blanks before their `=`.
 */
export function dockerComment(text: string): DockerText {
  return trusted(`# ${proseLine(text)}`.trimEnd());
}

/**
 * A quoted value of `LABEL` or `ENV`, in which nothing is a variable. Dockerfile reference,
 * "Environment replacement".
 */
export function dockerString(text: string): DockerText {
  return trusted(`"${proseLine(text).replace(/[\\"$]/g, "\\$&")}"`);
}
