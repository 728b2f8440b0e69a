// Load on a server, and the API behind it.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Throws for the result of a call that failed. */
export function expectSuccess(result) {
  if (result.isError) throw new Error(`a call failed: ${JSON.stringify(result.content)}`);
}

/** Makes `total` calls, of which `width` are in flight at a time. */
export async function inFlight(call, total, width = 32) {
  let left = total;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Starts the API of `upstream.mjs`. Returns its URL, its process ID and a function that stops it. */
export function startUpstream() {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("./upstream.mjs", import.meta.url))],
    { stdio: ["ignore", "pipe", "inherit", "ipc"] },
  );
  return new Promise((resolve) =>
    child.stdout.once("data", (line) =>
      resolve({ url: String(line).trim(), pid: child.pid, stop: () => child.disconnect() }),
    ),
  );
}
