import type { JsonSchema } from "../../json.js";
import type { ToolPlan } from "../../plan/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/api-definition.js";
import { literal, stringLiteral } from "../code/index.js";
import { fileHeader } from "./module.js";
import type { ContractTestView } from "./views.js";

/** Unlike any data, because credentials are redacted in results. */
const SAMPLE_CREDENTIAL = "made-up-credential";

/** Sample values of the environment variables that tool calls need. */
export function sampleEnvironment(plan: ToolPlan): Readonly<Record<string, string>> {
  const apis = [plan.api, ...(plan.otherApis ?? []).map(({ definition }) => definition)];
  const variables = apis.flatMap(({ securitySchemes }) =>
    Object.values(securitySchemes).flatMap(credentialVariables),
  );
  return Object.fromEntries([
    ...variables.map((variable) => [variable, SAMPLE_CREDENTIAL] as const),
    ...parameterValues(plan),
  ]);
}

/** `test/tools.test.ts` */
export function contractTestView(plan: ToolPlan): ContractTestView {
  const others = plan.otherApis ?? [];
  const credentials = sampleEnvironment(plan);
  const addresses = Object.fromEntries(
    others.map(({ name, definition }) => [definition.envPrefix, `/~${name}`]),
  );
  return {
    header: fileHeader(plan.source),
    envPrefix: stringLiteral(plan.api.envPrefix),
    credentials: literal(credentials, 2, 15),
    otherApis: others.length > 0 ? literal(addresses, 2, 13) : undefined,
  };
}

/** Sample values of the variables for parameters, valid for the API. */
function parameterValues({ tools, mock }: ToolPlan): readonly (readonly [string, string])[] {
  const parameters = new Map(
    mock.operations.flatMap((operation) =>
      operation.parameters.map((parameter) => [parameter.name, parameter.schema] as const),
    ),
  );
  return tools.flatMap(({ definition }) =>
    definition.operations.flatMap(({ request: { pathParams, query, headers, cookies, body } }) =>
      [pathParams, query, headers, cookies, body?.fields].flatMap((wires) =>
        Object.entries(wires ?? {}).flatMap(([name, wire]) =>
          typeof wire === "object" && "env" in wire
            ? [[wire.env, sampleValue(parameters.get(name))] as const]
            : [],
        ),
      ),
    ),
  );
}

function sampleValue(schema: JsonSchema | undefined): string {
  const [first] = [schema?.enum, schema?.examples].flatMap((list) =>
    Array.isArray(list) ? (list as readonly unknown[]) : [],
  );
  if (typeof first === "string" || typeof first === "number") return String(first);
  if (schema?.type === "integer" || schema?.type === "number") return String(schema.minimum ?? 1);
  return schema?.type === "boolean" ? "true" : "test";
}

/** The variables of a security scheme that a request needs. Certificates have no sample. */
function credentialVariables(scheme: SecuritySchemeDefinition): readonly string[] {
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
