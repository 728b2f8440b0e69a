// Preload: prints the port of each server of the process on stderr, so that the process can listen
// on a free port.
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function (...args) {
  this.once("listening", () => process.stderr.write(`listening on ${this.address().port}\n`));
  return listen.apply(this, args);
};
