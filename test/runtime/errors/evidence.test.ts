/** Values of a call in the messages of an API: as whole tokens, outside of other paths. */
import { expect, test } from "vitest";
import { findNamedValues } from "../../../src/runtime/errors/evidence.js";
import type { ApiCall } from "../../../src/runtime/request/types.js";

/** A call of `/v1/sites/{site_id}/files` with two values outside of its path. */
function namedIn(message: string, site: string): readonly string[] {
  const call = {
    tool: { inputSchema: { properties: { site_id: {}, folder: {}, file: {} } } },
    mapping: {
      method: "GET",
      path: "/v1/sites/{site_id}/files",
      pathParams: { site_id: "site_id" },
      query: { folder: "folder", file: "file" },
    },
    input: { site_id: site, folder: "assets-2", file: "logo.v2.svg" },
    request: { method: "GET", url: `https://api.example.com/v1/sites/${site}/files?folder=x` },
  } as unknown as ApiCall;
  return findNamedValues(call, message).map(({ path }) => path);
}

test.each<readonly [message: string, want: readonly string[]]>([
  ["/var/lib/sites/web-1/index.html: no such file", []],
  ["open:/var/lib/sites/web-1/index.html: no such file", []],
  ['open "/srv/web-1": permission denied', []],
  ["C:\\data\\sites\\web-1\\index.html not found", []],
  ["see https://docs.example.com/errors/web-1/help", []],
  ["cannot read ~/sites/web-1/config", []],
  ["/srv/assets-2/tmp: no such file or directory", []],
  // Outside of the path as well.
  ["site web-1: /var/lib/sites/web-1/index.html: no such file", ["site_id"]],
  ["no site web-1 in /var/lib/sites", ["site_id"]],
  // The path of the request, or of one beside it.
  ["/v1/sites/web-1/files: not found", ["site_id"]],
  ["GET https://internal:8080/v1/sites/web-1 returned 404", ["site_id"]],
  ["/sites/web-1 does not exist", ["site_id"]],
  ["Resource 'sites/web-1/files' was not found", ["site_id"]],
  ["No such container: /web-1", ["site_id"]],
  // A file of the call.
  ["open /srv/data/logo.v2.svg: no such file or directory", ["file"]],
  ["/srv/logo.v2.svg/meta.json: no such file or directory", []],
])("%s: %j", (message, want) => expect(namedIn(message, "web-1")).toEqual(want));

test.each<readonly [message: string, want: readonly string[]]>([
  ["expecting a dimension of 3, got 2", []],
  ["site 3 was not found", ["site_id"]],
])("a small number: %s", (message, want) => expect(namedIn(message, "3")).toEqual(want));

test("a value that is a path itself is named", () => {
  expect(namedIn("/srv/web-1/a: no such file", "/srv/web-1/a")).toEqual(["site_id"]);
});
