// Starts the example application of LoopBack with a database in memory. Arguments: folder of the
// installation, port.
import { createRequire } from "node:module";
import { join } from "node:path";

const [installation, port] = process.argv.slice(2);
const { TodoListApplication } = createRequire(join(installation, "package.json"))(
  "@loopback/example-todo",
);

const app = new TodoListApplication({ rest: { port: Number(port), host: "127.0.0.1" } });
await app.boot();
app.bind("datasources.config.db").to({ name: "db", connector: "memory" });
await app.start();
