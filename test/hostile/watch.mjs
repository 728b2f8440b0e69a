// Preload for runs on hostile documents: records forbidden actions of the process and its peak
// memory.
import dns from "node:dns";
import fs from "node:fs";
import net from "node:net";
import { isMainThread } from "node:worker_threads";

const report = process.env.WATCH_REPORT;
const writeReport = (line) => fs.appendFileSync(report, `${line}\n`);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  writeReport(`connect ${JSON.stringify(args[0])}`);
  return connect.apply(this, args);
};
const lookup = dns.lookup;
dns.lookup = (host, ...rest) => {
  writeReport(`lookup ${host}`);
  return lookup(host, ...rest);
};
if (isMainThread) {
  process.on("exit", () => {
    if ({}.polluted !== undefined) writeReport("polluted Object.prototype");
    writeReport(`rss ${Math.round(process.resourceUsage().maxRSS / 1024)}`);
  });
}
