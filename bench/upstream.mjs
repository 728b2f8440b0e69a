// The API behind the compared servers: HTTP on loopback that returns one small JSON object for
// every path, and 2,000 of them for those below `/lists`. Prints its URL.
import http from "node:http";

const item = { id: 1, name: "item", size: 2.5, changed_at: "2026-01-01T00:00:00Z" };
const small = Buffer.from(JSON.stringify(item));
const list = Buffer.from(JSON.stringify(Array.from({ length: 2000 }, () => item)));
const server = http.createServer((request, response) => {
  request.resume();
  const body = request.url.startsWith("/lists") ? list : small;
  response
    .writeHead(200, {
      "content-type": "application/json",
      "content-length": body.length,
    })
    .end(body);
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`),
);
process.on("disconnect", () => process.exit());
