import { execFile } from "node:child_process";

const levels = ["info", "low", "moderate", "high", "critical"];
/** Statuses of registries without an audit endpoint, such as many mirrors and caches. */
const missingEndpointStatuses = [404, 405, 501];

/**
 * Runs `npm audit` on the lock of a project and reports vulnerabilities of every severity but
 * `info`. Typed in audit.d.mts.
 */
export async function audit(cwd, options = [], env = process.env) {
  const { code, stdout, stderr } = await npm(
    ["audit", "--json", "--audit-level=low", "--no-offline", ...options],
    cwd,
    env,
  );
  const answer = parseJson(stdout);
  if (answer?.vulnerabilities) return fromReport(answer, code);
  const reason = (answer?.message ?? answer?.error?.summary ?? stderr).trim();
  if (missingEndpointStatuses.includes(answer?.statusCode) || answer?.error?.code === "ENOAUDIT")
    return {
      outcome: "skipped",
      summary: `not checked: the registry has no audit endpoint (${reason})`,
    };
  return { outcome: "failed", summary: `npm audit does not work: ${reason}` };
}

function fromReport({ vulnerabilities, metadata }, code) {
  const findings = Object.values(vulnerabilities).filter(
    ({ severity }) => levels.indexOf(severity) >= levels.indexOf("low"),
  );
  if (findings.length > 0)
    return { outcome: "failed", summary: findings.map(describeFinding).join("; ") };
  const { total } = metadata.dependencies;
  // npm also reports no vulnerabilities if it asked about no packages.
  return code === 0 && total > 0
    ? { outcome: "passed", summary: `no known vulnerabilities in ${total} packages` }
    : {
        outcome: "failed",
        summary: `npm audit ends with ${code} for ${total} packages and lists no vulnerability`,
      };
}

/**
 * Describes a finding: a vulnerable package by its advisory, a dependent package by the name of the
 * vulnerable one.
 */
function describeFinding({ name, severity, via }) {
  return `${name} (${severity}): ${via.map((cause) => (typeof cause === "string" ? `by ${cause}` : `${cause.title} (${cause.range}) ${cause.url}`)).join(", ")}`;
}

function npm(args, cwd, env) {
  return new Promise((resolve) => {
    execFile(
      "npm",
      args,
      { cwd, env, encoding: "utf8", shell: process.platform === "win32", maxBuffer: 1 << 26 },
      (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
