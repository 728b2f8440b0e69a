// The API of the studies of replicas and of overload, and its document.
import { writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { buildOurs, scratchFolder } from "../servers.mjs";

/** Names of the tools of the document. */
export const tools = {
  visits: "list_visits",
  hours: "list_opening_hours",
  report: "get_report",
  order: "create_order",
};

const visits = Array.from({ length: 2000 }, (_, id) => ({ id, note: "in the morning" }));

/**
 * Starts the API. `orders` counts the requests of each order, `received` has the credentials of the
 * reads, and `milliseconds` the durations of responses. Its refresh tokens can be used once. While
 * `isDown`, it answers 503.
 */
export async function startShop() {
  const shop = {
    orders: new Map(),
    received: [],
    milliseconds: { order: 5, report: 500 },
    refreshes: 0,
    isDown: false,
    /** Requests while the API is down. */
    rejected: 0,
    /** Starts a new series of refresh tokens. Returns its first one. */
    issueRefreshToken() {
      shop.refreshes = 0;
      return (refreshToken = `refresh-${++series}-0`);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  let series = 0;
  let refreshToken = "";
  const refresh = (body) => {
    if (new URLSearchParams(body).get("refresh_token") !== refreshToken) {
      refreshToken = "";
      return [400, { error: "invalid_grant" }];
    }
    refreshToken = `refresh-${series}-${++shop.refreshes}`;
    const token = { access_token: `access-${shop.refreshes}`, token_type: "Bearer", expires_in: 5 };
    return [200, { ...token, refresh_token: refreshToken }];
  };
  const createOrder = async (body) => {
    const { number } = JSON.parse(body);
    shop.orders.set(number, (shop.orders.get(number) ?? 0) + 1);
    await delay(shop.milliseconds.order);
    return [201, { number }];
  };
  const answer = async ({ url, headers }, body) => {
    if (shop.isDown) return [503, { requests: ++shop.rejected }];
    if (url === "/token") return refresh(body);
    if (url === "/orders") return createOrder(body);
    shop.received.push(headers.authorization ?? "");
    if (url === "/visits") return [200, visits];
    if (url === "/report") await delay(shop.milliseconds.report);
    return [200, { text: "from nine to five" }];
  };
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (text) => (body += text));
    request.on("end", async () => {
      const [status, value] = await answer(request, body);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return Object.assign(shop, { url: `http://127.0.0.1:${server.address().port}` });
}

const json = (schema) => ({ content: { "application/json": { schema } } });
const order = { type: "object", required: ["number"], properties: { number: { type: "integer" } } };
const visit = { type: "object", properties: { id: { type: "integer" }, note: { type: "string" } } };
const text = { type: "object", properties: { text: { type: "string" } } };

function read(operationId, summary, schema) {
  return {
    get: { operationId, summary, responses: { 200: { description: "OK", ...json(schema) } } },
  };
}

/** Bundles the server of the API, whose users sign in with a security scheme. Returns its path. */
export function buildShop({ url }, scheme, ...options) {
  const document = {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url }],
    security: [{ account: ["pets:read"] }],
    components: { securitySchemes: { account: scheme } },
    paths: {
      "/visits": read("listVisits", "List visits", { type: "array", items: visit }),
      "/hours": read("listOpeningHours", "List opening hours", text),
      "/report": read("getReport", "Get the report", text),
      "/orders": {
        post: {
          operationId: "createOrder",
          summary: "Create an order",
          requestBody: { required: true, ...json(order) },
          responses: { 201: { description: "The order", ...json(order) } },
        },
      },
    },
  };
  const file = path.join(scratchFolder(), "shop.json");
  writeFileSync(file, JSON.stringify(document));
  return buildOurs(file, ...options);
}

/** The scheme whose token endpoint is that of the API. */
export const ownScheme = ({ url }) => ({
  type: "oauth2",
  flows: {
    authorizationCode: {
      authorizationUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      scopes: { "pets:read": "Everything" },
    },
  },
});
