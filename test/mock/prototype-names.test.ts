import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/index.js";
import type { Mock, MockOperation, MockParameter, Schema } from "../../src/mock/index.js";

const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

/** A record with an own property of any name. */
function recordOf<Value>(name: string, value: Value): Record<string, Value> {
  return Object.fromEntries([[name, value]]);
}

const schemaOf = (name: string): Schema => ({
  type: "object",
  required: [name],
  properties: recordOf(name, { type: "string", minLength: 1, maxLength: 3 }),
  additionalProperties: false,
});
const required = (name: string, place: MockParameter["in"], rest = {}): MockParameter => ({
  name,
  in: place,
  required: true,
  schema: { type: "string", maxLength: 3 },
  style: place === "path" || place === "header" ? "simple" : "form",
  explode: place !== "path" && place !== "header",
  ...rest,
});
const bodyOf = (mediaType: string, name: string): NonNullable<MockOperation["body"]> => ({
  required: true,
  contents: [{ mediaType, schema: { $ref: `#/$defs/${name}` } }],
});

interface Sent {
  readonly path?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
}

interface Place {
  readonly operation: (name: string) => Partial<MockOperation>;
  /** A request that has the name, with this value. */
  readonly valid: (name: string, value: string) => Sent;
  /** The status without it. */
  readonly without: number;
}

const form = "application/x-www-form-urlencoded";
const deep = { style: "deepObject" };
const part = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;

const places: Readonly<Record<string, Place>> = {
  path: {
    operation: (name) => ({
      path: `/path-${name}/{${name}}`,
      parameters: [required(name, "path")],
    }),
    valid: (_, value) => ({ path: `/${value}` }),
    without: 404,
  },
  query: {
    operation: (name) => ({ parameters: [required(name, "query")] }),
    valid: (name, value) => ({ path: `?${name}=${value}` }),
    without: 400,
  },
  deepObject: {
    operation: (name) => ({
      parameters: [required("f", "query", { ...deep, schema: schemaOf(name) })],
    }),
    valid: (name, value) => ({ path: `?f[${name}]=${value}` }),
    without: 400,
  },
  header: {
    operation: (name) => ({ parameters: [required(name, "header")] }),
    valid: (name, value) => ({ headers: [[name, value]] }),
    without: 400,
  },
  cookie: {
    operation: (name) => ({ parameters: [required(name, "cookie")] }),
    valid: (name, value) => ({ headers: [["cookie", `${name}=${value}`]] }),
    without: 400,
  },
  "JSON property": {
    operation: (name) => ({ method: "POST", body: bodyOf("application/json", name) }),
    valid: (name, value) => ({
      headers: [["content-type", "application/json"]],
      body: JSON.stringify(recordOf(name, value)),
    }),
    without: 400,
  },
  "form field": {
    operation: (name) => ({ method: "POST", body: bodyOf(form, name) }),
    valid: (name, value) => ({ headers: [["content-type", form]], body: `${name}=${value}` }),
    without: 400,
  },
  part: {
    operation: (name) => ({ method: "POST", body: bodyOf("multipart/form-data", name) }),
    valid: (name, value) => ({
      headers: [["content-type", "multipart/form-data; boundary=b"]],
      body: part(name, value),
    }),
    without: 400,
  },
  "security scheme": {
    operation: (name) => ({ security: [recordOf(name, [])] }),
    valid: (name) => ({ headers: [[`x-${name}`, "key"]] }),
    without: 401,
  },
};

function operationOf(place: string, name: string): MockOperation {
  return {
    operationId: name,
    method: "GET",
    path: pathOf(place, name),
    parameters: [],
    responses: [
      {
        status: "200",
        contents: [{ mediaType: "application/json", schema: { $ref: `#/$defs/${name}` } }],
        headers: [{ name, schema: { type: "string" } }],
      },
    ],
    ...places[place]!.operation(name),
  };
}

const pathOf = (place: string, name: string): string => `/${place.replace(" ", "-")}-${name}`;

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({
    operations: Object.keys(places).flatMap((place) => names.map((n) => operationOf(place, n))),
    schemas: Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
    securitySchemes: Object.fromEntries(
      names.map((name) => [name, { kind: "apiKey", in: "header", name: `X-${name}` } as const]),
    ),
  });
});
afterAll(() => mock.close());

/** Sends a request by `node:http`, which takes any header name. */
function send(
  place: string,
  name: string,
  { path = "", headers = [], body }: Sent,
): Promise<{ readonly status: number; readonly text: string; readonly raw: readonly string[] }> {
  const { method = "GET" } = places[place]!.operation(name);
  const lines = [["host", "mock"], ...headers].flat();
  if (body !== undefined) lines.push("content-length", String(Buffer.byteLength(body)));
  return new Promise((resolve, reject) => {
    const url = `${mock.url}${pathOf(place, name)}${path}`;
    const sent = request(url, { method, headers: lines }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, raw: response.rawHeaders }),
      );
    });
    sent.on("error", reject).end(body);
  });
}

describe.each(Object.keys(places))("%s", (place) => {
  const { valid, without } = places[place]!;

  test.each(names)("%s is read, validated and sampled", async (name) => {
    const answer = await send(place, name, valid(name, "abc"));
    expect(answer).toMatchObject({ status: 200 });
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual([name]);
    expect(answer.raw).toContain(name.toLowerCase());
  });

  test.each(names)("%s is missed", async (name) => {
    expect((await send(place, name, {})).status).toBe(without);
  });
});

describe.each(Object.keys(places).filter((place) => place !== "security scheme"))("%s", (place) => {
  test.each(names)("%s is refused if invalid", async (name) => {
    const invalid = places[place]!.valid(name, "abcd");
    expect((await send(place, name, invalid)).status).toBe(400);
  });
});
