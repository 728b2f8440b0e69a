import type { WriteOut } from "./transport.js";

/**
 * Takes stdout for the protocol: from now on, what anything else in the process prints there
 * (console.log, a dependency) goes to stderr, because one stray line would break the client.
 * @returns what writes to the real stdout
 */
export function takeStdout(): WriteOut {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text, done) => write(text, done);
}
