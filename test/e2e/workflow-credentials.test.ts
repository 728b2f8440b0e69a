/** Workflows with several sources: no source gets the secrets of the server or of another source. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Lab, startLab } from "./workflow-lab.js";

const ok = { 200: { description: "ok" } };
const get = (operationId: string, more = {}): object => ({
  get: { operationId, responses: ok, ...more },
});

/** An API with a bearer token and client credentials. */
const source = (name: string): object => ({
  openapi: "3.1.0",
  info: { title: name, version: "1" },
  servers: [{ url: `https://${name.replaceAll("_", "-")}.example` }],
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      eu: { type: "http", scheme: "bearer" },
      client: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "http://127.0.0.1:9/token", scopes: {} } },
      },
    },
  },
  paths: {
    "/one": get("one", { security: [{}, { token: [] }] }),
    "/two": get("two", { security: [{}, { eu: [] }] }),
    "/three": get("three", { security: [{}, { client: [] }] }),
  },
});

const SOURCES = ["http", "token_exchange", "http_sign_in", "till_eu", "till"];
const operations = SOURCES.flatMap((name) => ["one", "two", "three"].map((id) => [name, id]));
const arazzo = {
  arazzo: "1.0.1",
  info: { title: "All", version: "1" },
  sourceDescriptions: ["main", ...SOURCES].map((name) => ({
    name,
    url: `./${name}.json`,
    type: "openapi",
  })),
  workflows: [
    {
      workflowId: "all",
      steps: [["main", "start"], ...operations].map(([name, id]) => ({
        stepId: `${name}-${id}`,
        operationId: `$sourceDescriptions.${name}.${id}`,
        successCriteria: [{ condition: "$statusCode == 200" }],
      })),
    },
  ],
};

let lab: Lab;
/** Variables of the server itself, and of one source. */
const secrets = {
  CLINIC_HTTP_TOKEN: "s3cret-of-clients-of-this-server",
  CLINIC_TOKEN_EXCHANGE_CLIENT_ID: "client",
  CLINIC_TOKEN_EXCHANGE_CLIENT_SECRET: "s3cret-of-the-exchange",
  CLINIC_HTTP_SIGN_IN_CLIENT_ID: "client",
  CLINIC_HTTP_SIGN_IN_CLIENT_SECRET: "s3cret-of-the-sign-in",
  CLINIC_TILL_EU_TOKEN: "s3cret-of-one-source",
};
beforeAll(async () => {
  const urls = Object.fromEntries(
    SOURCES.map((name) => [`CLINIC_${name.toUpperCase()}_BASE_URL`, `{url}/${name}`]),
  );
  lab = await startLab({
    files: {
      "main.json": {
        openapi: "3.1.0",
        info: { title: "Clinic", version: "1" },
        paths: { "/start": get("start") },
      },
      ...Object.fromEntries(SOURCES.map((name) => [`${name}.json`, source(name)])),
      "all.arazzo.json": arazzo,
    },
    env: { ...urls, CLINIC_TILL_EU2_BASE_URL: "{url}/till_eu", ...secrets },
    reply: () => ({ body: { ok: true } }),
  });
});
afterAll(() => lab.close());

test("every variable has one owner", () => {
  const owned = (lab.plan.otherApis ?? []).map(({ definition }) =>
    Object.values(definition.securitySchemes).flatMap((scheme) =>
      Object.entries(scheme).flatMap(([key, value]) =>
        key.toLowerCase().endsWith("env") ? [String(value)] : [],
      ),
    ),
  );
  const all = owned.flatMap((variables) => [...new Set(variables)]);
  expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([]);
});

test("no source gets a secret of the server or of another source", async () => {
  const { isError } = await lab.call("all");
  expect([isError, lab.asked.length]).toEqual([false, 1 + operations.length]);
  const got = lab.asked.flatMap(({ path, headers, body }) =>
    (`${JSON.stringify(headers)} ${body}`.match(/s3cret-[\w-]+/g) ?? []).map((secret) => [
      path,
      secret,
    ]),
  );
  expect(got).toEqual([["/till/two", secrets.CLINIC_TILL_EU_TOKEN]]);
});
