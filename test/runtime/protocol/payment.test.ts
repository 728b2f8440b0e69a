import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { paymentPage } from "../../../src/runtime/errors/payment-page.js";
import { connect, optionsOf } from "../approvals/asking.js";
import { textOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

/** A demand for payment: its page in the body and the headers, and the way to the user. */
const page = "https://pay.example/checkout/cs_1";
const response = (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 402) => {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return {
    status,
    headers: new Headers({ "content-type": "application/json", ...headers }),
    body: bytes,
    size: bytes.length,
  };
};

type Row = readonly [name: string, body: object, headers?: Record<string, string>, status?: number];
const pages: readonly Row[] = [
  ["a field for it", { payment_url: page }],
  ["a field in camel case", { error: { checkoutUrl: page } }],
  ["a hosted invoice", { data: { hosted_invoice_url: page } }],
  ["a plain URL beside words of payment", { message: "Please pay your invoice.", url: page }],
  ["a plain URL inside a payment", { payment: { href: page } }],
  ["a link with a relation", { links: [{ rel: "payment", href: page }] }],
  [
    "the header Link",
    {},
    { link: `<https://a.example/next>; rel="next", <${page}>; rel="payment"` },
  ],
  ["the header Location", {}, { location: page }],
];
test.each(pages.map((row) => ({ row })))("the page is read from $row.0", ({ row }) => {
  const [, body, headers] = row;
  expect(paymentPage(response(body, headers))).toBe(page);
});

const others: readonly Row[] = [
  ["without HTTPS", { payment_url: "http://pay.example/1" }],
  ["with credentials", { payment_url: "https://user:key@pay.example/1" }],
  ["that is no URL", { payment_url: "/pay/1" }],
  [
    "of the documentation",
    { message: "Your card was declined.", doc_url: "https://a.example/pay" },
  ],
  ["that nothing explains", { message: "Limit reached", url: "https://a.example/limits" }],
  ["of a script", { checkout_url: "javascript:alert(1)" }],
  ["of another relation", {}, { link: `<${page}>; rel="help"` }],
  ["of another status", { payment_url: page }, {}, 403],
];
test.each(others.map((row) => ({ row })))("no page is read from a URL $row.0", ({ row }) => {
  const [, body, headers, status] = row;
  expect(paymentPage(response(body, headers, status))).toBeUndefined();
});

let upstream: Upstream;
let isPaid = false;
beforeAll(async () => {
  upstream = await startUpstream((out, request, count) =>
    isPaid
      ? reply(200, { id: "p1", name: "Rex" })(out, request, count)
      : reply(402, { message: "Payment required", payment_url: page })(out, request, count),
  );
});
afterAll(() => upstream.close());
beforeEach(() => {
  isPaid = false;
});

type Shown = { mode?: string; url?: string; message: string };
const [urls, forms] = [{ elicitation: { url: {} } }, { elicitation: { form: {} } }];

/** Calls a tool; the user opens the page and pays, or does not. */
async function call(
  transport: "stdio" | "http" | "worker",
  revision: string,
  capabilities: object,
  answer: "accept" | "decline" = "accept",
  pays = true,
) {
  const shown: Shown[] = [];
  const client = await connect(
    optionsOf(upstream.url, {}, { api: { approve: undefined } } as never),
    transport,
    revision,
    capabilities,
    (asked) => {
      shown.push(asked as Shown);
      isPaid = answer === "accept" && pays;
      return { action: answer };
    },
  );
  const params = { name: "get_pet", arguments: { petId: "p1" } };
  const before = upstream.requests.length;
  const attempt = () =>
    client.callTool(params).catch((error: unknown) => ({ error }) as { error: unknown });
  const results = [await attempt(), await attempt()];
  await client.close();
  return { shown, results, requests: upstream.requests.slice(before) };
}

describe.each(["stdio", "http", "worker"] as const)("over %s", (transport) => {
  test("a client of 2026-07-28 shows the page, and repeats the call", async () => {
    const { shown, results } = await call(transport, "2026-07-28", urls);
    expect(shown).toEqual([
      expect.objectContaining({
        mode: "url",
        url: page,
        message: "Clinic requires payment for get_pet. Call again when it is paid.",
      }),
    ]);
    expect(results[0]).toMatchObject({ structuredContent: { name: "Rex" } });
  });

  test("a page that was opened without a payment ends in the text", async () => {
    const { shown, results } = await call(transport, "2026-07-28", urls, "accept", false);
    expect(shown).toHaveLength(2);
    expect(textOf(results[0] as never)).toContain(`link to open in a browser: ${page}`);
  });

  test("a user who declines gets no further request", async () => {
    const { results, requests } = await call(transport, "2026-07-28", urls, "decline");
    expect(textOf(results[0] as never)).toMatch(/^Not sent: the user did not open the page to pay/);
    expect(requests).toHaveLength(2);
  });

  test.each(["2025-11-25", "2026-07-28"])(
    "a client of %s without URLs gets the link",
    async (one) => {
      for (const capabilities of [{}, forms]) {
        const { shown, results } = await call(transport, one, capabilities);
        expect(shown).toEqual([]);
        expect(results[0]).toMatchObject({
          isError: true,
          content: [
            {
              type: "text",
              text: expect.stringContaining(
                `Give the user this link to open in a browser: ${page}`,
              ),
            },
            { type: "resource_link", uri: page, name: "Payment page" },
          ],
        });
      }
    },
  );
});

test.each(["stdio", "http"] as const)(
  "a client of 2025-11-25 over %s gets the error that has the page, and then the link",
  async (transport) => {
    const { results } = await call(transport, "2025-11-25", urls);
    expect(results[0]).toMatchObject({
      error: { code: -32042, data: { elicitations: [{ mode: "url", url: page }] } },
    });
    expect(textOf(results[1] as never)).toContain(page);
  },
);

test("the page is never requested, and no credentials are sent to it", async () => {
  const { requests } = await call("stdio", "2026-07-28", urls);
  expect(new Set(requests.map(({ url }) => url))).toEqual(new Set(["/v1/pets/p1"]));
});
