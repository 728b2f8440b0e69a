import { describe, expect, test } from "vitest";
import { selectTools, listToolsets } from "../../../src/runtime/tools/selection.js";
import { toolOf } from "../support/clinic.js";

const writes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
const tools = [
  toolOf({ name: "list_pets", toolset: "pets" }),
  toolOf({ name: "delete_pet", toolset: "pets", annotations: writes }),
  toolOf({ name: "delete_owner", toolset: "owners", annotations: writes }),
  toolOf({ name: "own" }),
];

describe("selected tools", () => {
  test.each<readonly [toolsets: readonly string[], readOnly: boolean, want: readonly string[]]>([
    [[], false, ["list_pets", "delete_pet", "delete_owner", "own"]],
    [["pets"], false, ["list_pets", "delete_pet", "own"]],
    [["owners", "pets"], false, ["list_pets", "delete_pet", "delete_owner", "own"]],
    [[], true, ["list_pets", "own"]],
    [["pets"], true, ["list_pets", "own"]],
    [["owners"], true, ["own"]],
  ])("of %j, read-only %s", (toolsets, readOnly, want) => {
    const offered = selectTools(tools, { toolsets, readOnly }, "CLINIC");
    expect(offered.ok && offered.tools.map(({ name }) => name)).toEqual(want);
  });

  test.each([
    [[], false, ["hide_pet", "hidden_pets"]],
    [["owners"], true, ["hidden_pets"]],
  ])("hidden ones are apart: %j, read-only %s", (toolsets, readOnly, want) => {
    const hidden = [
      { ...toolOf({ name: "hide_pet", annotations: writes }), hidden: true as const },
      { ...toolOf({ name: "hidden_pets", toolset: "pets" }), hidden: true as const },
    ];
    const offered = selectTools([...tools, ...hidden], { toolsets, readOnly }, "CLINIC");
    if (!offered.ok) throw new Error("no tools");
    expect(offered.hidden.map(({ name }) => name)).toEqual(want);
    expect(offered.tools.some((tool) => tool.hidden)).toBe(false);
  });

  test("each excluded tool has a reason", () => {
    const offered = selectTools(tools, { toolsets: ["pets"], readOnly: true }, "CLINIC");
    expect(offered.ok && Object.fromEntries(offered.excluded)).toEqual({
      delete_pet:
        "delete_pet is not available: this server was started read-only, and it can change something.",
      delete_owner:
        "delete_owner is not available: this server was started with the toolsets pets, and it belongs to owners.",
    });
  });

  test.each<readonly [toolsets: readonly string[], readOnly: boolean, want: readonly string[]]>([
    [
      ["pet"],
      false,
      [
        '--toolsets (CLINIC_TOOLSETS) names no toolset of this server: "pet"; did you mean pets? The toolsets: pets, owners.',
      ],
    ],
    [
      ["pets", "billing", "__proto__"],
      false,
      [
        '--toolsets (CLINIC_TOOLSETS) names no toolset of this server: "billing". The toolsets: pets, owners.',
        '--toolsets (CLINIC_TOOLSETS) names no toolset of this server: "__proto__". The toolsets: pets, owners.',
      ],
    ],
  ])("%j is wrong", (toolsets, readOnly, problems) =>
    expect(selectTools(tools, { toolsets, readOnly }, "CLINIC")).toEqual({ ok: false, problems }),
  );

  test("an empty selection is an error", () => {
    expect(
      selectTools(tools.slice(0, 3), { toolsets: ["owners"], readOnly: true }, "CLINIC"),
    ).toEqual({
      ok: false,
      problems: [
        "--read-only (CLINIC_READ_ONLY) leaves no tool of owners: all of them can change something.",
      ],
    });
  });
});

test("toolsets are listed once, in the order of their tools", () =>
  expect(listToolsets(tools)).toEqual(["pets", "owners"]));
