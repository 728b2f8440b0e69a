import type { ToolPlan } from "../../plan/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/types.js";
import { literal, stringLiteral } from "../code.js";
import { header } from "./header.js";
import type { ContractTestView } from "./views.js";

/** `test/tools.test.ts` */
export function contractTestView(plan: ToolPlan): ContractTestView {
  const variables = Object.values(plan.api.securitySchemes).flatMap(credentialsOf);
  const credentials = Object.fromEntries(variables.map((variable) => [variable, "test"]));
  return { header: header(plan.source), envPrefix: stringLiteral(plan.api.envPrefix), credentials: literal(credentials, 2, 15) };
}

/** The variables that are enough for a request. Certificates cannot be made up. */
function credentialsOf(scheme: SecuritySchemeDefinition): readonly string[] {
  switch (scheme.kind) {
    case "apiKey":
    case "bearer":
    case "http":
      return [scheme.env];
    case "basic":
      return [scheme.usernameEnv, scheme.passwordEnv];
    case "oauth2":
      return [scheme.tokenEnv];
    case "mutualTLS":
      return [];
  }
}
