import { defineApi, defineTool } from "../../../../src/runtime/index.js";
import { serve } from "../../../../src/runtime/serve.js";

const issuer = process.env["ISSUER"];
const metadataUrl = `${issuer}/.well-known/openid-configuration`;

/** A server with a tool that reads and one that writes, which need different scopes. */
const api = defineApi({
  name: "clinic",
  title: "Clinic",
  version: "1",
  envPrefix: "CLINIC",
  servers: [],
  securitySchemes: {
    account: {
      kind: "oauth2",
      tokenEnv: "CLINIC_TOKEN",
      clientIdEnv: "CLINIC_CLIENT_ID",
      clientSecretEnv: "CLINIC_CLIENT_SECRET",
      discoveryUrl: metadataUrl,
      scopes: ["pets:read", "pets:write"],
      signIn: { metadataUrl },
    },
  },
});

const tool = (name: string, method: string, scope: string) =>
  defineTool({
    name,
    title: name,
    description: `${name}.`,
    annotations: {
      readOnlyHint: method === "GET",
      destructiveHint: false,
      idempotentHint: method === "GET",
      openWorldHint: true,
    },
    inputSchema: {
      type: "object",
      properties: { page: { type: "integer" } },
      additionalProperties: false,
    },
    operations: [
      {
        whenProvided: [],
        request: {
          method,
          path: "/pets",
          query: { page: "page" },
          security: [{ account: [scope] }],
        },
        response: {},
      },
    ],
  });

await serve({
  api,
  tools: [tool("find_pets", "GET", "pets:read"), tool("add_pet", "POST", "pets:write")],
  signIn: () => import("../../../../src/runtime/auth/sign-in/index.js"),
});
