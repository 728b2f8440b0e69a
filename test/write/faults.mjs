// Preload: the process dies, or one file operation fails, at the n-th change of the disk. FAULT is `kill:7` or `fail:7`.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [what, at] = (process.env.FAULT ?? "none:0").split(":");
let left = Number(at);

for (const name of ["writeFileSync", "renameSync", "mkdirSync", "rmSync", "rmdirSync", "linkSync"]) {
  const original = fs[name];
  fs[name] = (...args) => {
    left -= 1;
    if (left === 0 && what === "kill") process.kill(process.pid, "SIGKILL");
    if (left === 0 && what === "fail") throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", syscall: name });
    return original(...args);
  };
}
syncBuiltinESMExports();

/** Whether the run ended before its fault came. */
globalThis.faultWasSpared = () => left > 0;
