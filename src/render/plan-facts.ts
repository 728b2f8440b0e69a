/** Facts about a plan on which files of the project depend. */
import type { PlannedWorkflow, ToolPlan } from "../plan/types.js";
import type { ApiDefinition } from "../runtime/api-definition.js";

/** The APIs that a server calls. */
export function apisOf({ api, otherApis = [] }: ToolPlan): readonly ApiDefinition[] {
  return [api, ...otherApis.map(({ definition }) => definition)];
}

/** Tests whether users can sign in: whether a scheme of an API has the endpoints for it. */
export function usesSignIn(plan: ToolPlan): boolean {
  return apisOf(plan).some(({ securitySchemes }) =>
    Object.values(securitySchemes).some((scheme) => scheme.kind === "oauth2" && scheme.signIn),
  );
}

/** True if a refresh token of the API can be configured, which may be one that is used once. */
export function usesRefreshTokens(plan: ToolPlan): boolean {
  return apisOf(plan).some(({ securitySchemes }) =>
    Object.values(securitySchemes).some(
      (scheme) => scheme.kind === "oauth2" && scheme.refreshTokenEnv !== undefined,
    ),
  );
}

/**
 * Tests whether a condition or value of a workflow is a JSONPath query that the server evaluates.
 */
export function usesJsonPath(workflows: readonly PlannedWorkflow[]): boolean {
  return JSON.stringify(
    workflows.map(({ steps, outputs }) => [
      outputs,
      steps.map(({ step, input, outputs: own }) => [
        input,
        own,
        step.criteria,
        step.onSuccess.map((action) => [action.criteria, action.arguments]),
        step.onFailure.map((action) => [action.criteria, action.arguments]),
      ]),
    ]),
  ).includes('"jsonpath"');
}

/** Plans of the APIs that the mock serves. */
export function mockedPlans(plan: ToolPlan): readonly ToolPlan[] {
  return [plan, ...(plan.apis ?? []).map((api) => api.plan)];
}

/** Tests whether a value with schemas has a keyword that matches. */
export function hasKeyword(value: unknown, keyword: RegExp): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    (!Array.isArray(value) && Object.keys(value).some((key) => keyword.test(key))) ||
    Object.values(value).some((member) => hasKeyword(member, keyword))
  );
}

/** Tests whether a value with schemas has regular expressions. */
export function hasPattern(value: unknown): boolean {
  return hasKeyword(value, /^pattern(?:Properties)?$/);
}
