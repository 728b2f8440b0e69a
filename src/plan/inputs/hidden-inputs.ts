import { quoteText } from "../../diagnostics/text.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { truncateText } from "../text/sentences.js";
import type { InputCandidate, InputRole } from "./candidates.js";

/** Number of hidden inputs, and what they would cost in `tools/list`. */
export interface HiddenInputCost {
  readonly inputs: number;
  /** Estimate: four bytes of JSON are one token. */
  readonly tokens: number;
}

/** Collects the inputs that are hidden by inference, each once per operation. */
export class HiddenInputs {
  private readonly byOperation = new Map<object, Map<InputCandidate, number>>();

  add(operation: object, candidate: InputCandidate): void {
    const hidden = this.byOperation.get(operation) ?? new Map<InputCandidate, number>();
    this.byOperation.set(operation, hidden.set(candidate, bytesOf(candidate)));
  }

  get cost(): HiddenInputCost {
    const bytes = [...this.byOperation.values()].flatMap((hidden) => [...hidden.values()]);
    return {
      inputs: bytes.length,
      tokens: Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 4),
    };
  }
}

const MAX_DESCRIPTION = 400;

function bytesOf({ wireName, schema, description = "" }: InputCandidate): number {
  const shown = { ...schema, description: truncateText(description, MAX_DESCRIPTION, false) };
  return Buffer.byteLength(JSON.stringify({ [wireName]: shown }));
}

/** Line of mcp-gen.yaml that makes an input of a hidden value. */
function offerLine(wireName: string): string {
  const key = /^[a-z_][\w-]*$/i.test(wireName) ? wireName : JSON.stringify(wireName);
  return `parameters: {${key}: {hide: false}}`;
}

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
