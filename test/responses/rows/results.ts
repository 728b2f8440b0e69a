import type { ResponseRow } from "../row.js";
import { bare, endpoint, integer, json, list, object, text } from "../snippets.js";

const host = object({ name: text, content: text });

/** Facts beside the data: effects without a body, places of what was created, omissions. */
export const results: readonly ResponseRow[] = [
  {
    name: "Docker: 204 of a pause",
    endpoint: endpoint("POST /containers/{id}/pause", { 204: bare("no error") }),
    input: { id: "one" },
    response: { status: 204 },
    says: ["204"],
  },
  {
    name: "PowerDNS: 204 of a deletion",
    endpoint: endpoint("DELETE /zones/{zone_id}", {
      204: bare("Returns 204 No Content on success."),
    }),
    input: { zone_id: "obsolete.example." },
    response: { status: 204 },
    says: ["204"],
  },
  {
    name: "Homebridge UI: a list that the document does not describe",
    endpoint: endpoint("GET /plugins", { 200: bare("") }),
    response: { status: 200, body: [{ name: "homebridge-dummy", private: false }] },
    says: [/^\{"items":\[\{"name"/],
  },
  {
    name: "PowerDNS: 201 with an empty HTML body",
    endpoint: endpoint(
      "POST /autoprimaries",
      { 201: bare("OK") },
      {
        body: object({ ip: text, nameserver: text }),
      },
    ),
    input: { ip: "192.0.2.9", nameserver: "ns1.harbor.example" },
    response: { status: 201, type: "text/html; charset=utf-8" },
    says: ["201"],
  },
  {
    name: "PowerDNS: 200 with an empty HTML body for a deletion",
    endpoint: endpoint("DELETE /metadata/{kind}", { 200: bare("OK") }),
    input: { kind: "ALSO-NOTIFY" },
    response: { status: 200, type: "text/html; charset=utf-8" },
    says: ["200"],
  },
  {
    name: "Unleash: 200 without the documented body",
    endpoint: endpoint("POST /features/{name}/on", { 200: json(object({ name: text })) }),
    input: { name: "new-cart" },
    response: { status: 200 },
    says: ["200"],
  },
  {
    name: "Docker: 201 of a tag, without a body",
    endpoint: endpoint(
      "POST /images/{name}/tag",
      { 201: bare("No error") },
      { query: { repo: text, tag: text } },
    ),
    input: { name: "hello:1", repo: "hello", tag: "2" },
    response: { status: 201 },
    says: ["201"],
  },
  {
    name: "Unleash: the location of a created user",
    endpoint: endpoint(
      "POST /user-admin",
      { 201: json(object({ id: integer, name: text })) },
      { body: object({ name: text, email: text, rootRole: integer }) },
    ),
    input: { name: "Lea", email: "lea@example.com", rootRole: 3 },
    response: {
      status: 201,
      headers: { location: "3" },
      body: {
        isAPI: false,
        id: 3,
        name: "Lea",
        email: "lea@example.com",
        loginAttempts: 0,
        rootRole: 3,
        inviteLink: "http://localhost:4242/new-user?token=$2a$10$fqJeZMtAkJryaC54NooyhO",
        emailSent: false,
      },
    },
  },
  {
    name: "Unleash: the secret of a created token",
    endpoint: endpoint(
      "POST /api-tokens",
      { 201: json(object({ tokenName: text, secret: text })) },
      { body: object({ tokenName: text, type: text, environment: text }) },
    ),
    input: { tokenName: "ci", type: "client", environment: "development" },
    response: {
      status: 201,
      headers: { location: "api-tokens" },
      body: {
        tokenName: "ci",
        environment: "development",
        projects: ["default"],
        secret: "default:development.78049400dafb2e191c497bcdbfbd57caaba6a2705e7b2c31",
        type: "client",
        alias: null,
      },
    },
  },
  {
    name: "PowerDNS: the generated key",
    endpoint: endpoint(
      "POST /tsigkeys",
      { 201: json(object({ name: text, id: text, algorithm: text, key: text })) },
      { body: object({ name: text, algorithm: text }) },
    ),
    input: { name: "transfer-key", algorithm: "hmac-sha256" },
    response: {
      status: 201,
      body: {
        algorithm: "hmac-sha256",
        id: "transfer-key.",
        key: "PDVw758HbImVdqCzvHZzW/Vna1s8JHNs6TQwVFN9tp35EI6y8RhG91L9B+RjzblO52Q7asuc8niAWyakXiHYMg==",
        name: "transfer-key",
        type: "TSIGKey",
      },
    },
  },
  {
    name: "PowerDNS: a zone that is too large",
    endpoint: endpoint("GET /zones/{zone_id}", {
      200: json(object({ id: text, rrsets: list(host) })),
    }),
    input: { zone_id: "archive.example." },
    env: { MAX_RESULT_TOKENS: "1000" },
    partial: true,
    response: {
      status: 200,
      body: {
        id: "archive.example.",
        rrsets: Array.from({ length: 305 }, (_, n) => ({
          name: `host-${n}.archive.example.`,
          content: `198.51.100.${n % 250}`,
        })),
      },
    },
    says: ["archive.example.", /\d+ of 305/, "host-0.archive.example."],
  },
  {
    name: "PowerDNS: a result of an action",
    endpoint: endpoint("PUT /zones/{zone_id}/axfr-retrieve", { 200: bare("OK") }),
    input: { zone_id: "mirror.example." },
    response: {
      status: 200,
      body: { result: "Added retrieval request for 'mirror.example.' from master 192.0.2.200" },
    },
  },
  {
    name: "Alertmanager: 200 of a deletion without a body",
    endpoint: endpoint("DELETE /silence/{silenceID}", { 200: bare("Delete silence response") }),
    input: { silenceID: "375bb6cd-2e65-4817-82e9-1bb75e59bb38" },
    response: { status: 200 },
    says: ["200"],
  },
];
