/** Instructions of a server of several APIs. */
import { expect, test } from "vitest";
import { describeApis } from "../../../src/runtime/tools/describe-apis.js";
import { describeToolsets } from "../../../src/runtime/tools/describe-toolsets.js";
import { api } from "../support/clinic.js";

const lists = "Where an ID may be a list, one call does the same to each.";
const fields = "Pass further fields like inputs.";

test.each<readonly [string, Readonly<Record<string, string | undefined>>, string]>([
  [
    "sentences of their own",
    { billing: "Invoices and payments. In cents.", crm: undefined },
    "API billing: Invoices and payments. In cents. API crm: Clinic.",
  ],
  [
    "a sentence that all say",
    { billing: `Invoices. ${lists}`, crm: `${lists} Customers.` },
    `API billing: Invoices. API crm: Customers. All APIs: ${lists}`,
  ],
  [
    "sentences that some say",
    { billing: `${lists} ${fields}`, crm: `Customers. ${lists}`, stock: fields },
    `API billing: Clinic. API crm: Customers. API stock: Clinic. APIs billing, crm: ${lists} APIs billing, stock: ${fields}`,
  ],
])("APIs with %s", (_, instructions, want) => {
  const apis = Object.fromEntries(
    Object.entries(instructions).map(([name, text]) => [
      name,
      { ...api, title: "Clinic", ...(text !== undefined && { instructions: text }) },
    ]),
  );
  const tools = Object.keys(apis).map((name) => ({ api: name }));
  expect(describeApis(apis, [...tools, {}])).toBe(want);
});

test("the verbs of a toolset are those after the prefix of its API", () => {
  const tools = [
    { name: "billing_list_users", toolset: "billing_users", api: "billing" },
    { name: "get_user", toolset: "billing_users", api: "billing" },
    { name: "billing_list_user_tokens", toolset: "billing_users", api: "billing" },
    { name: "get_level", toolset: "stock_levels", api: "stock" },
  ];
  expect(describeToolsets(tools, undefined)).toBe(
    "Toolsets: billing_users (list, get, …), stock_levels (get).",
  );
});
