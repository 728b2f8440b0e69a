import type { Reporter, TestModule } from "vitest/node";
import type { LiveRow } from "./live-test.js";

/** Prints a table of servers with their calls, and every failure. */
export default class LiveReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => test.meta().live ?? []),
    );
    if (rows.length > 0) console.log(formatTable(rows));
  }
}

function formatTable(rows: readonly LiveRow[]): string {
  const width = Math.max(...rows.map((row) => row.server.length));
  const lines = rows.flatMap(({ server, calls, failures }) => {
    const failed = new Set(failures.map((failure) => failure.split(" ")[0])).size;
    const counts = [String(calls).padStart(5), String(calls - failed).padStart(6)].join("  ");
    return [`${server.padEnd(width)}  ${counts}`, ...failures.map((failure) => `  ${failure}`)];
  });
  return [`\n${"server".padEnd(width)}  calls  passed`, ...lines, ""].join("\n");
}
