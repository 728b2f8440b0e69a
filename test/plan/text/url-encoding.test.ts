import { describe, expect, it } from "vitest";
import {
  decodeExample,
  withoutEncodingDemand,
  withoutUrlEncoding,
} from "../../../src/plan/text/url-encoding.js";

describe("withoutUrlEncoding", () => {
  const note = "Do not URL-encode it.";
  it.each([
    ["The ID or URL-encoded path of the project", `The ID or path of the project. ${note}`],
    [
      "The name of the environment. The name must be URL encoded. For example, any slashes in the " +
        "name must be replaced with `%2F`.",
      `The name of the environment. ${note}`,
    ],
    ["Query string. Must be properly URL encoded.", `Query string. ${note}`],
    ["The name; if it contains spaces, they **must** be URL encoded (e.g. `%20`).", note],
    ["URL-encoded variable ID", `Variable ID. ${note}`],
    ["(Urlencoded) Searched URL", `Searched URL. ${note}`],
    ["Comma-delimited, URL-encoded IDs", `Comma-delimited IDs. ${note}`],
    ["A URL-encoded, pipe-separated list", `A pipe-separated list. ${note}`],
    ["A URL-encoded object of filters", `An object of filters. ${note}`],
    ["ID; must be an URI encoded string", `ID; must be a string. ${note}`],
    ["A color or url-encoded hex values (%23ff00ff)", `A color or hex values (#ff00ff). ${note}`],
    [
      "The query needs to be url encoded and is made up of words.",
      `The query is made up of words. ${note}`,
    ],
    [
      "References, which must be percent-encoded and quoted",
      `References, which must be quoted. ${note}`,
    ],
    ["The URL of an item, URL-encoded or backslash-escaped", `The URL of an item. ${note}`],
    ["Remember to URI encode this!", note],
    ["The IDs. Brackets MUST be percent-encoded, per the standard.", `The IDs. ${note}`],
    ["The title. It should be URI-encoded, so that %, / or ? are accepted.", `The title. ${note}`],
  ])("%s", (text, want) => expect(withoutUrlEncoding(text)).toBe(want));

  it.each([
    "Name of the **pet**, 100% sure.",
    "Equal to application/x-www-form-urlencoded",
    "Encoding of the file, such as UTF-8",
    "A base64-encoded key",
  ])("does not change %s", (text) => expect(withoutUrlEncoding(text)).toBe(text));
});

describe("withoutEncodingDemand", () => {
  it.each([
    ["The login must be URL encoded.", ""],
    ["Note that values need to be URL escaped so that = would become %3D.", ""],
    ["Queries need to be URL encoded, and have this format: a=b", "Queries have this format: a=b"],
    ["Returns a URL-encoded text.", "Returns a URL-encoded text."],
    ["The name must be unique.", "The name must be unique."],
  ])("%s", (text, want) => expect(withoutEncodingDemand(text)).toBe(want));
});

describe("decodeExample", () => {
  it.each([
    ["prod%2fgke", "prod/gke"],
    ["caf%C3%A9", "café"],
    ["100%", "100%"],
    ["a%ffb", "a%ffb"],
    [7, 7],
  ])("%s", (value, want) => expect(decodeExample(value)).toBe(want));
});
