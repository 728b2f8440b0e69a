import { defineApi, defineTool } from "../../../../src/runtime/index.js";
import { authenticate } from "../../../../src/runtime/auth/authenticate.js";
import type { LoadSignIn } from "../../../../src/runtime/auth/sign-in-module.js";
import { serve } from "../../../../src/runtime/serve.js";
import { createNodePlatform } from "../../../../src/runtime/server/node-platform.js";

const issuer = process.env["ISSUER"];
const isDocumented = process.env["ENDPOINTS"] === "document";
const metadataUrl = `${issuer}/.well-known/openid-configuration`;

/** A server whose users sign in; `print-authorization` prints the credentials of a call. */
const api = defineApi({
  name: "clinic",
  title: "Clinic",
  version: "1",
  envPrefix: "CLINIC",
  servers: [{ url: "http://127.0.0.1:1/v1" }],
  securitySchemes: {
    account: {
      kind: "oauth2",
      tokenEnv: "CLINIC_TOKEN",
      clientIdEnv: "CLINIC_CLIENT_ID",
      clientSecretEnv: "CLINIC_CLIENT_SECRET",
      ...(isDocumented ? { tokenUrl: `${issuer}/token` } : { discoveryUrl: metadataUrl }),
      scopes: ["pets:read", "pets:write"],
      signIn: isDocumented
        ? { authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token` }
        : { metadataUrl },
    },
  },
  security: [{ account: ["pets:read"] }],
});

const findPets = defineTool({
  name: "find_pets",
  title: "Find pets",
  description: "Find pets.",
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  inputSchema: { type: "object", properties: {} },
  operations: [{ whenProvided: [], request: { method: "GET", path: "/pets" }, response: {} }],
});

const signIn: LoadSignIn = () => import("../../../../src/runtime/auth/sign-in/index.js");

const [action, rejected] = process.argv.slice(2);
if (action === "print-authorization") {
  const platform = createNodePlatform(signIn);
  const signedInToken: typeof platform.signedInToken = (request, token) =>
    platform.signedInToken!(request, rejected || token);
  const result = await authenticate(
    { method: "GET", url: "http://127.0.0.1:1/v1/pets", headers: [] },
    {},
    { api, env: process.env, platform: { ...platform, signedInToken } },
  );
  console.log(result.ok ? result.request.headers[0]?.[1] : result.message);
} else {
  await serve({ api, tools: [findPets], signIn });
}
