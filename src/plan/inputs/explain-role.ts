import { quoteText } from "../../diagnostics/text.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { InputCandidate, InputRole } from "./candidates.js";
import { offerLine } from "./hidden-inputs.js";

/**
 * Explains why a candidate is not an input, or why its name differs. Values that no caller can give
 * are reported as diagnostics, with the configuration that offers the inferred ones.
 */
export function explainRole(
  candidate: InputCandidate,
  role: InputRole,
  name: string | undefined,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const { in: location, wireName, usage } = candidate;
  const label = `${location} ${quoteText(wireName, 60)}`;
  if (role.kind === "input")
    return name === wireName ? undefined : `${label} is the input ${name}.`;
  if (role.kind === "generated") return `${label} is not an input: each call gets a new key.`;
  const why = reasonOf(role);
  const isHidden = role.kind === "excluded" || (role.kind === "env" && role.reason === undefined);
  const offer = role.isInferred ? offerLine(wireName) : undefined;
  if (isHidden || offer !== undefined)
    diagnostics.add(
      "plan-parameter-hidden",
      `The ${location} ${location === "body" ? "field" : "parameter"} ${quoteText(wireName, 60)} is not an input: ${why}.`,
      usage.location,
      offer && `To offer it, write ${offer} in mcp-gen.yaml.`,
    );
  return `${label} is not an input: ${why}.${offer ? ` ${offer} offers it.` : ""}`;
}

function reasonOf(role: Exclude<InputRole, { kind: "input" | "generated" }>): string {
  switch (role.kind) {
    case "excluded":
      return role.reason;
    case "env":
      return role.reason ?? `it is a credential, sent from ${role.env}`;
    case "constant":
      return role.reason ?? "it has one possible value";
  }
}
