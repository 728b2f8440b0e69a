import { quoteText } from "../diagnostics/clean.js";
import type { Findings } from "./findings.js";
import { isLegalPackageName } from "./package-name.js";
import { isCallable } from "./servers.js";
import type { PlanOptions } from "./types.js";

/** Options that can be used. What is wrong with the others is an error each. */
export function checkOptions(options: PlanOptions, findings: Findings): PlanOptions {
  const { namespace, packageName, baseUrl, ...rest } = options;
  const bad = (name: string, value: string, wanted: string): undefined =>
    void findings.add("plan-option", `${name} is ${quoteText(value)}, but must be ${wanted}.`);
  const checked: { -readonly [K in keyof PlanOptions]: PlanOptions[K] } = { ...rest };
  if (namespace !== undefined) {
    if (/^[a-z][a-z0-9_]{0,15}$/.test(namespace) && !namespace.endsWith("_"))
      checked.namespace = namespace;
    else
      bad(
        "--namespace",
        namespace,
        "1 to 16 lower-case letters, digits and underscores, starting with a letter",
      );
  }
  if (packageName !== undefined) {
    if (isLegalPackageName(packageName)) checked.packageName = packageName;
    else bad("--package-name", packageName, "a legal npm name, such as clinic-mcp-server");
  }
  if (baseUrl !== undefined) {
    if (isCallable({ url: baseUrl }) && !baseUrl.includes("{")) checked.baseUrl = baseUrl;
    else
      bad(
        "--base-url",
        baseUrl,
        "an absolute http or https URL without user name, query and fragment",
      );
  }
  return checked;
}
