// Processes that a study starts on this machine, and that end with it.
import { spawn, spawnSync } from "node:child_process";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const children = new Set();

/** True if a program is installed. */
export const has = (program) => spawnSync("which", [program]).status === 0;

/** Starts a program. `ended` of the process resolves with its exit code. */
export function start(program, args, env = {}) {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.printed = "";
  child.stderr.on("data", (text) => (child.printed += text));
  children.add(child);
  child.ended = new Promise((done) =>
    child.on("close", (code) => {
      children.delete(child);
      done(code);
    }),
  );
  return child;
}

/** Kills processes, by default all that were started. */
export async function stop(...chosen) {
  const all = chosen.length > 0 ? chosen : [...children];
  for (const child of all) child.kill("SIGKILL");
  await Promise.all(all.map(({ ended }) => ended));
}

export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

export const freePorts = (count) => Promise.all(Array.from({ length: count }, freePort));

/** Waits until a check returns a value, for 30 s at most. */
export async function until(check) {
  for (let tries = 0; tries < 600; tries++) {
    const value = await check().catch(() => undefined);
    if (value) return value;
    await delay(50);
  }
  throw new Error(`waited in vain for ${check}`);
}

/** True once a port of this machine accepts connections. */
export const accepts = (port) =>
  new Promise((done, fail) => {
    const socket = connect(port, "127.0.0.1", () => done(socket.destroy()));
    socket.on("error", fail);
  }).then(() => true);
