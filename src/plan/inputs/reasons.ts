import { quoteText } from "../../diagnostics/clean.js";
import type { Findings } from "../findings.js";
import type { Candidate, Role } from "./candidate.js";

/**
 * Why a candidate is no input, or has another name; what is kept from the caller altogether is a
 * finding too.
 */
export function reasonFor(
  { place, wireName, where }: Candidate,
  role: Role,
  name: string | undefined,
  findings: Findings,
): string | undefined {
  if (role.kind === "input" && name === wireName) return undefined;
  const subject = `${place} ${quoteText(wireName, 60)}`;
  const hide = (why: string): string => {
    findings.add(
      "plan-parameter-hidden",
      `The ${place} parameter ${quoteText(wireName, 60)} is no input: ${why}.`,
      where.place,
    );
    return `${subject} is no input: ${why}.`;
  };
  switch (role.kind) {
    case "none":
      return hide(role.why);
    case "env":
      return role.why === undefined
        ? hide(`it is a credential, sent from ${role.env}`)
        : `${subject} is no input: ${role.why}.`;
    case "constant":
      return `${subject} is no input: ${role.why ?? "it has one possible value"}.`;
    case "generated":
      return `${subject} is no input: each call gets a new key.`;
    case "input":
      return `${subject} is the input ${name}.`;
  }
}
