import type { SecurityRequirement } from "../../../src/runtime/api-definition.js";
import type { SecuritySchemeDefinition } from "../../../src/runtime/security-schemes.js";
import type { AuthContext } from "../../../src/runtime/auth/types.js";
import type { BoundRequest, Env } from "../../../src/runtime/request/types.js";
import { createNodePlatform } from "../../../src/runtime/server/node-platform.js";

export type Schemes = Readonly<Record<string, SecuritySchemeDefinition>>;

export function contextOf(
  securitySchemes: Schemes,
  env: Env = {},
  security?: readonly SecurityRequirement[],
): AuthContext {
  return {
    api: {
      name: "clinic",
      title: "Clinic",
      version: "1",
      envPrefix: "CLINIC",
      servers: [],
      hosts: ["https://api.example.com"],
      securitySchemes,
      security,
    },
    env,
    platform: createNodePlatform(() => import("../../../src/runtime/auth/sign-in/index.js")),
  };
}

export const REQUEST: BoundRequest = {
  method: "GET",
  url: "https://api.example.com/v1/pets",
  headers: [["Accept", "application/json"]],
};
