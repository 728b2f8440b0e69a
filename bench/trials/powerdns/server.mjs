import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeSender, upTo } from "../requests.mjs";

const key = "trial-key";
const zones = "/api/v1/servers/localhost/zones";

export const debian = ["pdns-server", "pdns-backend-sqlite3", "sqlite3"];
export const [ready, document, basePath] = ["/api/docs", "/api/docs", "/api/v1"];
export const documentHeaders = { "x-api-key": key, accept: "application/json" };
export const credentials = { header: { "x-api-key": key }, variable: "API_KEY", value: key };

export function launch({ installation, data, port, freePort }) {
  const system = join(installation, "debian/usr");
  const libraries = join(system, "lib/x86_64-linux-gnu");
  const database = join(data, "zones.sqlite3");
  const tables = join(system, "share/doc/pdns-backend-sqlite3/schema.sqlite3.sql");
  const env = { LD_LIBRARY_PATH: libraries };
  execFileSync(join(system, "bin/sqlite3"), [database], { env, input: readFileSync(tables) });
  const settings = {
    "config-dir": data,
    "socket-dir": data,
    "module-dir": join(libraries, "pdns"),
    launch: "gsqlite3",
    "gsqlite3-database": database,
    "gsqlite3-dnssec": "yes",
    api: "yes",
    "api-key": key,
    webserver: "yes",
    "webserver-address": "127.0.0.1",
    "webserver-port": port,
    "local-address": "127.0.0.1",
    "local-port": freePort,
    secondary: "yes",
    "security-poll-suffix": "",
    daemon: "no",
    guardian: "no",
  };
  return {
    command: join(system, "sbin/pdns_server"),
    args: Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    env,
  };
}

/** Nine zones with records, one key and one kind of metadata. */
export async function seed(url) {
  const send = makeSender(url, credentials.header);
  for (const side of ["south", "east", "west"]) await create(send, `${side}.branch`, "sales");
  await create(send, "north.branch", "ops");
  await create(send, "harbor", "", [
    record("mail.harbor", "A", 3600, "192.0.2.25"),
    record("www.harbor", "A", 3600, "192.0.2.77"),
    record("api.harbor", "A", 3600, "192.0.2.77"),
    record("legacy.harbor", "A", 3600, "192.0.2.26"),
  ]);
  await create(send, "secure", "", [record("static.secure", "A", 300, "192.0.2.77")]);
  await create(send, "archive", "", upTo(300).flatMap(host));
  await create(send, "obsolete", "");
  const mirror = { name: "mirror.example.", kind: "Slave", masters: ["192.0.2.200"] };
  await send("POST", zones, mirror);
  await send("POST", `${zones}/harbor.example./metadata`, {
    kind: "ALSO-NOTIFY",
    metadata: ["192.0.2.53"],
  });
  const office = { name: "office", algorithm: "hmac-sha256" };
  await send("POST", "/api/v1/servers/localhost/tsigkeys", office);
}

async function create(send, name, account, rrsets = []) {
  const zone = { name: `${name}.example.`, kind: "Native", nameservers: [`ns1.${name}.example.`] };
  await send("POST", zones, { ...zone, account, rrsets });
}

function record(name, type, ttl, content) {
  return { name: `${name}.example.`, type, ttl, records: [{ content, disabled: false }] };
}

/** Address and place of one host of the archive. */
function host(number) {
  const name = `host-${number}.archive`;
  const place = `"rack ${Math.floor(number / 18)}, shelf ${number % 71}"`;
  return [record(name, "A", 3600, `198.51.100.${number % 204}`), record(name, "TXT", 3600, place)];
}
