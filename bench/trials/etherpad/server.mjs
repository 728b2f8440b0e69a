import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSender, upTo } from "../requests.mjs";

const key = "trial-key";

export const packages = ["ep_etherpad-lite@1.8.14"];
export const [ready, document] = ["/api/openapi.json", "/api/openapi.json"];
export const basePath = "/api/1.2.15";
export const credentials = { header: {}, variable: "API_KEY", value: key };

/** Etherpad runs from a folder `src` to which its package in `node_modules` is a link. */
export function arrange(installation) {
  renameSync(join(installation, "node_modules/ep_etherpad-lite"), join(installation, "src"));
  symlinkSync("../src", join(installation, "node_modules/ep_etherpad-lite"));
}

export function launch({ installation, data, port }) {
  const dbSettings = { filename: join(data, "pads.db") };
  const settings = { ip: "127.0.0.1", port, dbType: "dirty", dbSettings, minify: false };
  writeFileSync(join(data, "settings.json"), JSON.stringify(settings));
  writeFileSync(join(data, "key.txt"), key);
  const files = { settings: "settings.json", apikey: "key.txt", sessionkey: "session.txt" };
  return {
    command: process.execPath,
    args: [
      join(installation, "src/node/server.js"),
      ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, join(data, file)]),
    ],
    env: { NODE_ENV: "production" },
  };
}

/** 19 pads, two of these in a group, an author and a chat. */
export async function seed(url) {
  const call = makeCaller(url);
  for (const number of upTo(12)) await createMinutes(call, number);
  const { authorID } = await call("createAuthorIfNotExistsFor", { authorMapper: 7, name: "Ann" });
  for (const text of ["Who takes notes?", "I do.", "Thank you."])
    await call("appendChatMessage", { padID: "minutes-03", text, authorID });
  await createPlan(call);
  await call("createPad", { padID: "draft", text: "Draft of the report" });
  await call("createPad", { padID: "old-notes", text: "Notes of 2019" });
  await createHandbook(call);
  const { groupID } = await call("createGroupIfNotExistsFor", { groupMapper: "board" });
  for (const padName of ["salaries", "strategy"])
    await call("createGroupPad", { groupID, padName, text: `The ${padName}` });
}

/** Etherpad answers 200 to a failed call, with a code in its body. */
function makeCaller(url) {
  const send = makeSender(url, {});
  return async (name, inputs) => {
    const query = new URLSearchParams({ apikey: key, ...inputs });
    const { code, message, data } = await send("POST", `${basePath}/${name}?${query}`);
    if (code !== 0) throw new Error(`${name}: ${message}`);
    return data;
  };
}

async function createMinutes(call, number) {
  const text = `Minutes ${number}\nPresent: ${number + 3} people\nDecision: postponed`;
  await call("createPad", { padID: `minutes-${String(number).padStart(2, "0")}`, text });
}

async function createPlan(call) {
  await call("createPad", { padID: "plan", text: "Plan A" });
  for (const text of ["Plan B", "Plan C", "Plan D"]) await call("setText", { padID: "plan", text });
  await call("createPad", { padID: "plan-2027", text: "Nothing planned" });
}

/** 2401 lines, sent in parts that a URL can hold. */
async function createHandbook(call) {
  const lines = upTo(2401).map((line) => `Line ${line}: nothing of importance.`);
  lines[1333] = "Deputy: Noor Haddad";
  lines[2400] = "End of the handbook, edition 14";
  await call("createPad", { padID: "handbook", text: lines.slice(0, 100).join("\n") });
  for (let from = 100; from < lines.length; from += 100) {
    const text = lines.slice(from, from + 100).join("\n");
    await call("appendText", { padID: "handbook", text });
  }
}
