import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation, Parameter } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import type { PlanOptions } from "../../../src/plan/options.js";
import { parseConfiguration } from "../../../src/configuration/parse-configuration.js";
import { api, json, operation, parameter, send } from "../fixtures.js";

const text: JsonSchema = { type: "string" };
const key = (name: string) => ({ kind: "apiKey", in: "header", name }) as const;
const schemes = { securitySchemes: { id: key("SHOP-CLIENT-ID"), secret: key("SHOP-SECRET") } };

/** Four operations whose bodies have these fields, and one of their own. */
const posts = (fields: Record<string, JsonSchema>, required: string[] = []): Operation[] =>
  [1, 2, 3, 4].map((n) => ({
    ...operation(
      `POST /x${n}`,
      json({ type: "object", required, properties: { ...fields, [`own${n}`]: text } }),
    ),
    security: [{ id: [], secret: [] }],
  }));
const gets = (given: Parameter, count = 4): Operation[] =>
  [1, 2, 3, 4].map((n) =>
    operation(`GET /x${n}`, { parameters: n <= count ? [given, parameter("query q")] : [] }),
  );

const first = (operations: Operation[], model = {}, options?: PlanOptions) => {
  const made = plan(api(operations, model), options);
  const request = send(made.tools[0]!);
  return {
    inputs: made.tools[0]!.inputs.map(({ name }) => name),
    sent: { ...request.query, ...request.headers, ...request.body?.fields },
    made,
  };
};
const configured = (yaml: string): PlanOptions => {
  const { content, locationOf } = parseConfiguration(`version: 1\n${yaml}`, "mcp-gen.yaml");
  return { configuration: { content: content!, locationOf } };
};

describe("credentials in bodies", () => {
  const both = { client_id: text, secret: text };

  it.each([
    { reason: "repeat the headers", sample: posts(both), inputs: ["own1"], sent: { own1: "own1" } },
    {
      reason: "are sent twice where required",
      sample: posts(both, ["secret"]),
      inputs: ["own1"],
      sent: { secret: { env: "CLINIC_SECRET_API_KEY", required: true }, own1: "own1" },
    },
    {
      reason: "are inputs when one operation of four has them",
      sample: [posts(both)[0]!, ...posts({}).slice(1)],
      inputs: ["client_id", "secret", "own1"],
    },
    {
      reason: "are known by their text",
      sample: [
        posts({ secret: { type: "string", description: "Or the SHOP-SECRET header." } })[0]!,
        ...posts({}).slice(1),
      ],
      inputs: ["own1"],
    },
    {
      reason: "are not numbers",
      sample: posts({ client_id: { type: "integer" } }),
      inputs: ["client_id", "own1"],
    },
    {
      reason: "have more than one word, or are a secret",
      sample: posts({ id: text }),
      inputs: ["id", "own1"],
    },
  ])("$reason", ({ sample, inputs, sent }) => {
    const result = first(sample, schemes);
    expect(result.inputs).toEqual(inputs);
    if (sent) expect(result.sent).toEqual(sent);
  });

  it.each<{ fields: Record<string, JsonSchema>; inputs: string[]; variables: string[] }>([
    { fields: both, inputs: ["own1"], variables: ["CLINIC_CLIENT_ID", "CLINIC_SECRET"] },
    { fields: { api_key: text }, inputs: ["own1"], variables: ["CLINIC_API_KEY"] },
    { fields: { client_id: text }, inputs: ["client_id", "own1"], variables: [] },
  ])("without a security scheme: $variables", ({ fields, inputs, variables }) => {
    const open = posts(fields).map((one) => ({ ...one, security: [] }));
    const result = first(open);
    expect(result.inputs).toEqual(inputs);
    const names = result.made.environment.map(({ name }) => name);
    expect(names.filter((name) => !name.endsWith("BASE_URL"))).toEqual(variables);
  });
});

describe("values that every call repeats", () => {
  const version = (schema: JsonSchema, required = true): Parameter =>
    parameter("header Shop-Version", { schema: { type: "string", ...schema }, required });
  it.each([
    { given: version({ default: "2022-06-28" }), sent: { value: "2022-06-28" } },
    { given: version({ default: "2022-06-28" }, false), sent: { value: "2022-06-28" } },
    { given: version({ default: "latest" }), sent: { from: "shop_version", default: "latest" } },
    { given: version({ enum: ["1", "2"], default: "2" }, false), sent: "shop_version" },
    { given: version({ enum: ["v2"] }, false), sent: { value: "v2" } },
    { given: version({ enum: ["beta"], default: "beta" }, false), sent: undefined },
    { given: version({}), sent: "shop_version" },
  ])("$given.schema", ({ given, sent }) => {
    expect(first(gets(given)).sent["Shop-Version"]).toEqual(sent);
  });

  it("stay inputs when one operation of four has them", () => {
    expect(first(gets(version({ enum: ["v2"] }, false), 1)).inputs).toContain("shop_version");
  });

  const stream = (schema: JsonSchema, description = "Sends server-sent events.") =>
    operation(
      "POST /x",
      json({
        type: "object",
        required: ["a"],
        properties: { a: text, stream: { ...schema, description } },
      }),
    );
  it.each([
    { of: stream({ type: ["boolean", "null"] }), sent: { a: "a" } },
    { of: stream({ type: "boolean", default: true }), sent: { a: "a", stream: { value: false } } },
    {
      of: operation(
        "POST /x",
        json({
          type: "object",
          required: ["a"],
          properties: {
            a: text,
            stream_options: { type: "object", description: "Only set this with `stream: true`." },
          },
        }),
      ),
      sent: { a: "a" },
    },
    { of: stream({ type: "string" }), sent: { a: "a", stream: "stream" } },
    { of: stream({ type: "boolean" }, "Has a stream of water."), sent: { a: "a" } },
    { of: stream({ type: "boolean" }, "Flowing water."), sent: { a: "a", stream: "stream" } },
  ])("a tool returns whole results: $sent", ({ of, sent }) => {
    expect(first([of]).sent).toEqual(sent);
  });
});

describe("a hidden input", () => {
  const pretty = parameter("query pretty", { schema: { type: "boolean" } });

  it("is counted, and its diagnostic shows how to include it", () => {
    const { made, inputs } = first(gets(pretty));
    expect(inputs).toEqual(["q"]);
    expect(made.hiddenInputs).toMatchObject({ inputs: 4 });
    expect(made.hiddenInputs!.tokens).toBeGreaterThan(4);
    const hints = made.diagnostics.map(({ hint }) => hint);
    expect(hints).toContain(
      "To offer it, write parameters: {pretty: {hide: false}} in mcp-gen.yaml.",
    );
    expect(made.tools[0]!.reasons.join()).toContain(
      "parameters: {pretty: {hide: false}} offers it.",
    );
  });

  it.each([
    { yaml: "parameters: {pretty: {hide: false}}", of: gets(pretty), inputs: ["pretty", "q"] },
    {
      yaml: "parameters: {secret: {hide: false}}",
      of: posts({ secret: text }),
      inputs: ["secret", "own1"],
    },
  ])("is offered with $yaml", ({ yaml, of, inputs }) => {
    const { made, ...result } = first(of, schemes, configured(yaml));
    expect(result.inputs).toEqual(inputs);
    expect(made.diagnostics.map(({ code }) => code)).not.toContain("config-unknown-parameter");
    expect(made.hiddenInputs?.inputs).toBe(0);
  });
});
