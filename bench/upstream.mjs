// The API behind the compared servers: HTTP on loopback that returns one small JSON object for
// every path. Prints its URL.
import http from "node:http";

const body = JSON.stringify({ id: 1, name: "item", size: 2.5, changed_at: "2026-01-01T00:00:00Z" });
const server = http.createServer((request, response) => {
  request.resume();
  response
    .writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`),
);
process.on("disconnect", () => process.exit());
