import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { pollDeviceCode } from "../../../../src/runtime/auth/sign-in/grants.js";

const server = createServer();
afterEach(() => void server.close());

function json(status: number, body: object): RequestListener {
  return (_, response) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));
}

const answers: RequestListener[] = [
  (request) => void request.socket.destroy(),
  json(503, {}),
  json(400, { error: "authorization_pending" }),
  json(200, { access_token: "one", token_type: "bearer" }),
];

test("a device sign-in survives an authorization server that fails for a while", async () => {
  server.on("request", (request, response) => answers.shift()?.(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = {
    api: "clinic",
    schemeName: "account",
    scheme: { kind: "oauth2" as const, tokenEnv: "CLINIC_TOKEN" },
    baseUrl: issuer,
    clientId: "clinic-cli",
    clientSecret: "",
  };
  const trusted = { server: { issuer, token_endpoint: `${issuer}/token` }, isIssuerInferred: true };
  const code = {
    device_code: "device",
    user_code: "user",
    verification_uri: `${issuer}/device`,
    expires_in: 60,
    interval: 0.01,
  };
  expect(await pollDeviceCode(request, trusted, code)).toMatchObject({ access_token: "one" });
  expect(answers).toEqual([]);
});
