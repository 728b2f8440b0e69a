// Preload: the process dies, or one file operation fails, at the n-th change of the disk. FAULT is
// `kill:7` or `fail:7`; or `busy:7`: it is Windows, where every renaming fails n times. With
// SYSTEM=caseless, as on Windows and macOS, the disk takes `A` and `a` for one name.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [what, at] = (process.env.FAULT ?? "none:0").split(":");
let left = Number(at);

for (const name of [
  "writeFileSync",
  "renameSync",
  "mkdirSync",
  "rmSync",
  "rmdirSync",
  "linkSync",
]) {
  const original = fs[name];
  fs[name] = (...args) => {
    left -= 1;
    if (left === 0 && what === "kill") process.kill(process.pid, "SIGKILL");
    if (left === 0 && what === "fail")
      throw Object.assign(new Error("ENOSPC: no space left on device"), {
        code: "ENOSPC",
        syscall: name,
      });
    return original(...args);
  };
}

if (what === "busy") {
  Object.defineProperty(process, "platform", { value: "win32" });
  const failures = new Map();
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    const count = failures.get(from) ?? 0;
    failures.set(from, count + 1);
    if (count < Number(at))
      throw Object.assign(new Error("EPERM: operation not permitted"), {
        code: "EPERM",
        syscall: "rename",
      });
    return renameSync(from, to);
  };
}

/**
 * A path as the disk spells it, where names are one that differ in case or in how accents are
 * written.
 */
function spelled(path) {
  if (typeof path !== "string") return path;
  const fold = (name) => name.normalize("NFC").toLowerCase();
  return path
    .split("/")
    .reduce((folder, name) => {
      const found =
        name === ""
          ? undefined
          : readFolder(folder === "" ? "/" : folder).find((own) => fold(own) === fold(name));
      return `${folder}/${found ?? name}`;
    }, "")
    .replace(/^\/\//, "/");
}

const { readdirSync } = fs;
function readFolder(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

if (process.env.SYSTEM === "caseless") {
  const names = [
    "writeFileSync",
    "readFileSync",
    "renameSync",
    "mkdirSync",
    "rmSync",
    "rmdirSync",
    "linkSync",
    "lstatSync",
    "statSync",
    "existsSync",
    "readdirSync",
  ];
  for (const name of names) {
    const original = fs[name];
    const paths = name === "renameSync" || name === "linkSync" ? 2 : 1;
    fs[name] = (...args) => original(...args.map((arg, i) => (i < paths ? spelled(arg) : arg)));
  }
}
syncBuiltinESMExports();

/** True if the run ended before its fault came. */
globalThis.faultWasSpared = () => left > 0;
