/** The server as a handler of another server of Node. */
export { type NodeHandler, nodeHandler } from "./transport/http/node-handler.js";
