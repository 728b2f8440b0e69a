import type { Curated, ParameterRule } from "../../curation/types.js";
import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Environment } from "../env.js";
import type { Findings } from "../findings.js";
import type { Candidate, Role } from "../inputs/candidate.js";
import { isSecret } from "./secret.js";

export type ParameterRoles = (candidate: Candidate) => Role | undefined;

/**
 * Reads `parameters`: values for parameters wherever they occur, by the name on the wire (that of a
 * header without regard to case). A name that no operation has is an error.
 */
export function parameterRoles(
  { curation, placeOf }: Pick<Curated, "curation" | "placeOf">,
  operations: readonly Operation[],
  environment: Environment,
  findings: Findings,
): ParameterRoles {
  const rules = new Map(
    Object.entries(curation.parameters ?? {}).map(([name, rule]) => [
      name,
      { name, rule, place: placeOf(["parameters", name]) },
    ]),
  );
  const byHeader = new Map([...rules].map(([name, rule]) => [name.toLowerCase(), rule]));
  const known = new Map(
    operations.flatMap(({ parameters }) =>
      parameters.flatMap(
        (one) =>
          [
            [one.name, one],
            ...(one.in === "header" ? ([[one.name.toLowerCase(), one]] as const) : []),
          ] as const,
      ),
    ),
  );
  for (const { name, rule, place } of rules.values()) {
    const parameter = known.get(name) ?? known.get(name.toLowerCase());
    if (!parameter)
      findings.add(
        "curation-parameter",
        `No operation has a parameter ${quoteText(name)}${didYouMean(name, known.keys()) || "."}`,
        place,
        "Correct it, or remove it. Fields of bodies are for `inputs` of a tool.",
      );
    else if ("env" in rule)
      environment.addNamed(rule.env, {
        description: `Value of ${name}, sent with every call that has it.`,
        required: parameter.required,
        secret: isSecret(name, rule.env),
      });
  }
  return (candidate) => {
    const found =
      candidate.place === "body"
        ? undefined
        : candidate.place === "header"
          ? byHeader.get(candidate.wireName.toLowerCase())
          : rules.get(candidate.wireName);
    return found && roleFor(candidate, found.rule, found.place, findings);
  };
}

function roleFor(
  { place, wireName, required }: Candidate,
  rule: ParameterRule,
  at: ReturnType<Curated["placeOf"]>,
  findings: Findings,
): Role | undefined {
  if ("fixed" in rule) return { kind: "constant", value: rule.fixed, why: "the curation fixes it" };
  if ("env" in rule)
    return { kind: "env", env: rule.env, required, why: `it is taken from ${rule.env}` };
  if (place === "path")
    return void findings.add(
      "curation-value",
      `${quoteText(wireName)} is a part of a path and cannot be hidden.`,
      at,
      "Use fixed or env instead of hide.",
    );
  if (required)
    findings.add(
      "curation-hidden-required",
      `The API requires ${quoteText(wireName)}, and no call has it.`,
      at,
      "Use fixed or env instead of hide.",
    );
  return { kind: "none", why: "the curation hides it" };
}
