import { ownProperty, readString } from "../raw-object.js";
import { readApiKey, readOAuthFlow, type SchemeReader } from "../security-schemes.js";
import type { OAuthFlow } from "../types.js";

/** Swagger 2.0 flow name → OpenAPI 3.x flow name. */
const FLOWS: ReadonlyMap<unknown, OAuthFlow["flow"]> = new Map([
  ["implicit", "implicit"],
  ["password", "password"],
  ["application", "clientCredentials"],
  ["accessCode", "authorizationCode"],
] as const);

/** Swagger 2.0 Security Scheme Object. */
export const readSwaggerScheme: SchemeReader = (c, { raw, pointer }) => {
  const description = readString(c, raw, "description", pointer);
  const described = description === undefined ? {} : { description };
  switch (ownProperty(raw, "type")) {
    case "basic":
      return { kind: "http", scheme: "basic", ...described };
    case "apiKey":
      return readApiKey(raw, described);
    case "oauth2": {
      const flow = FLOWS.get(ownProperty(raw, "flow"));
      return flow
        ? { kind: "oauth2", flows: [readOAuthFlow(c, flow, raw, pointer)], ...described }
        : "has no known `flow`";
    }
    default:
      return "has no known `type`";
  }
};
