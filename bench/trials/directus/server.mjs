import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { makeSender, upTo } from "../requests.mjs";

const token = "trial-token";

export const packages = ["directus@12.4.0", "sqlite3@5.1.7"];
export const [ready, document] = ["/server/ping", "/server/specs/oas"];
export const documentHeaders = { authorization: `Bearer ${token}` };
export const credentials = {
  header: documentHeaders,
  variable: "API_KEY",
  value: `Bearer ${token}`,
};

export function launch({ installation, data, port }) {
  const env = {
    PORT: String(port),
    HOST: "127.0.0.1",
    SECRET: "a secret of a trial",
    DB_CLIENT: "sqlite3",
    DB_FILENAME: join(data, "data.db"),
    STORAGE_LOCAL_ROOT: join(data, "files"),
    ADMIN_EMAIL: "admin@example.com",
    ADMIN_PASSWORD: "a password of a trial",
    ADMIN_TOKEN: token,
    TELEMETRY: "false",
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
  const program = join(installation, "node_modules/directus/cli.js");
  const options = { cwd: data, env: { ...process.env, ...env } };
  execFileSync(process.execPath, [program, "bootstrap"], options);
  return { command: process.execPath, args: [program, "start"], env };
}

/** 137 stores, four suppliers, users, a file and a folder. */
export async function seed(url) {
  const send = makeSender(url, credentials.header);
  await createCollection(send, "stores", "Shops of the chain", {
    name: "string",
    city: "string",
    opened: "integer",
  });
  await createCollection(send, "suppliers", "", { name: "string", contact_email: "string" });
  await send("POST", "/items/stores", upTo(137).map(makeStore));
  const suppliers = ["North Mill", "Old Ltd", "Sand & Sons", "Weaver"];
  await send(
    "POST",
    "/items/suppliers",
    suppliers.map((name, index) => ({ name, contact_email: `office${index}@example.org` })),
  );
  await createUsers(send);
  await send("POST", "/folders", { name: "Invoices" });
  await upload(send);
}

async function createCollection(send, collection, note, fields) {
  const id = {
    field: "id",
    type: "integer",
    meta: { hidden: true, interface: "input", readonly: true },
    schema: { is_primary_key: true, has_auto_increment: true },
  };
  const others = Object.entries(fields).map(([field, type]) => ({
    field,
    type,
    meta: { interface: "input" },
    schema: {},
  }));
  const meta = note === "" ? {} : { note };
  await send("POST", "/collections", { collection, meta, schema: {}, fields: [id, ...others] });
}

const cities = ["Bergen", "Lyon", "Ghent", "Turin", "Oslo"];
const years = { 12: 2023, 42: 1997, 76: 2023 };

function makeStore(number) {
  const city = { 1: "Oslo", 12: "Cork" }[number] ?? cities[number % 5];
  return { name: `Store ${number}`, city, opened: years[number] ?? 1960 + ((number * 7) % 63) };
}

async function createUsers(send) {
  const role = (await send("POST", "/roles", { name: "Editor" })).data.id;
  await send("POST", "/roles", { name: "Reader" });
  await send("POST", "/users", { email: "ann@example.com", first_name: "Ann", role });
  const users = upTo(20).map((number) => ({
    email: `user${number}@example.com`,
    status: number % 3 === 1 ? "suspended" : "active",
  }));
  await send("POST", "/users", users);
}

async function upload(send) {
  const lines = [
    "Manual of the scale.",
    "Turn the left screw twice.",
    "Never weigh more than 40 kg.\n",
  ];
  const form = new FormData();
  form.set("title", "Manual");
  form.set("file", new Blob([lines.join("\n")], { type: "text/plain" }), "manual.txt");
  await send("POST", "/files", form);
}
