import { expect, test } from "vitest";
import { readHttpSettings } from "../../src/runtime/transport/http/http-settings.js";
import { blocksOf } from "./snippets.js";

/** The variables of a block. Comments explain their values. */
function variablesOf(block: string): Readonly<Record<string, string>> {
  const lines = block.split("\n").map((line) => line.replace(/ +#.*$/, "").trim());
  return Object.fromEntries(
    lines.filter((line) => line !== "").map((line) => line.split(/=(.*)/, 2) as [string, string]),
  );
}

test("the settings of docs/credentials.md are those of the server", () => {
  const read = blocksOf("docs/credentials.md", "ini").map((block) =>
    readHttpSettings("CLINIC", variablesOf(block)),
  );
  const settings = read.map((one) => (one.ok ? one.settings : undefined));
  expect(settings[0]?.tokenExchanges?.get("CLINIC")).toMatchObject({ clientId: "clinic-mcp" });
  expect(settings[1]?.signIn).toMatchObject({ clientId: "clinic-mcp" });
});
