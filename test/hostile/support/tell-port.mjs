// Preload: says on stderr where each server of the process listens, so that it can be started on a
// free port.
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function (...args) {
  this.once("listening", () => process.stderr.write(`listening on ${this.address().port}\n`));
  return listen.apply(this, args);
};
