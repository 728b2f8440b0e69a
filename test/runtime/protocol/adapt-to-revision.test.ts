import type { ContentBlock } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { adaptToRevision } from "../../../src/runtime/protocol/messages.js";

const text = { type: "text", text: "see result://a/b" } as const;
const link = { type: "resource_link", uri: "result://a/b", name: "b" } as const;
const sound = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" } as const;
const file = {
  type: "resource",
  resource: { uri: "result://audio", mimeType: "audio/wav", blob: "UklGRg==" },
} as const;

test.each<readonly [string | undefined, readonly ContentBlock[]]>([
  ["2024-11-05", [text, file]],
  ["2025-03-26", [text, sound]],
  ["2025-06-18", [text, link, sound]],
  ["2026-07-28", [text, link, sound]],
  [undefined, [text, link, sound]],
])("a client of %s gets what it knows", (revision, content) => {
  expect(
    adaptToRevision({ content: [text, link, sound], structuredContent: { a: 1 } }, revision),
  ).toEqual({ content, structuredContent: { a: 1 } });
});
