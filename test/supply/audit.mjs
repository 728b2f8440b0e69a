import { execFile } from "node:child_process";

const levels = ["info", "low", "moderate", "high", "critical"];
/** Statuses of registries without an audit endpoint, as many mirrors and caches are. */
const noEndpoint = [404, 405, 501];

/**
 * Runs `npm audit` on the lock of a project and reports vulnerabilities of every severity but `info`.
 * Typed in audit.d.mts.
 */
export async function audit(cwd, options = [], env = process.env) {
  const { code, stdout, stderr } = await npm(
    ["audit", "--json", "--audit-level=low", "--no-offline", ...options],
    cwd,
    env,
  );
  const answer = parsed(stdout);
  if (answer?.vulnerabilities) return ofReport(answer, code);
  const says = (answer?.message ?? answer?.error?.summary ?? stderr).trim();
  if (noEndpoint.includes(answer?.statusCode) || answer?.error?.code === "ENOAUDIT")
    return {
      outcome: "skipped",
      says: `not checked: the registry has no audit endpoint (${says})`,
    };
  return { outcome: "failed", says: `npm audit does not work: ${says}` };
}

function ofReport({ vulnerabilities, metadata }, code) {
  const found = Object.values(vulnerabilities).filter(
    ({ severity }) => levels.indexOf(severity) >= levels.indexOf("low"),
  );
  if (found.length > 0) return { outcome: "failed", says: found.map(finding).join("; ") };
  const { total } = metadata.dependencies;
  // npm also reports no vulnerabilities if it asked about no packages.
  return code === 0 && total > 0
    ? { outcome: "passed", says: `no weakness is known of ${total} packages` }
    : {
        outcome: "failed",
        says: `npm audit ends with ${code} for ${total} packages and names nothing`,
      };
}

/**
 * A vulnerable package comes with its advisory; one that depends on it comes with the name of that
 * package.
 */
function finding({ name, severity, via }) {
  return `${name} (${severity}): ${via.map((cause) => (typeof cause === "string" ? `by ${cause}` : `${cause.title} (${cause.range}) ${cause.url}`)).join(", ")}`;
}

function npm(args, cwd, env) {
  return new Promise((done) => {
    execFile(
      "npm",
      args,
      { cwd, env, encoding: "utf8", shell: process.platform === "win32", maxBuffer: 1 << 26 },
      (error, stdout, stderr) => done({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
