import { own, text } from "../read.js";
import { apiKey, oauthFlow, type SchemeReader } from "../security.js";
import type { OAuthFlow } from "../types.js";

/** Names of the flows in Swagger 2.0. */
const FLOWS: ReadonlyMap<unknown, OAuthFlow["flow"]> = new Map([
  ["implicit", "implicit"],
  ["password", "password"],
  ["application", "clientCredentials"],
  ["accessCode", "authorizationCode"],
] as const);

/** Swagger 2.0 Security Scheme Object. */
export const readSwaggerScheme: SchemeReader = (c, { raw, at }) => {
  const description = text(c, raw, "description", at);
  const described = description === undefined ? {} : { description };
  switch (own(raw, "type")) {
    case "basic":
      return { kind: "http", scheme: "basic", ...described };
    case "apiKey":
      return apiKey(raw, described);
    case "oauth2": {
      const flow = FLOWS.get(own(raw, "flow"));
      return flow
        ? { kind: "oauth2", flows: [oauthFlow(c, flow, raw, at)], ...described }
        : "has no known `flow`";
    }
    default:
      return "has no known `type`";
  }
};
