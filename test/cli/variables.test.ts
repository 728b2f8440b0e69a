import { expect, test } from "vitest";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../write/tree.js";
import { mcpGen } from "./built.js";

const API = `openapi: 3.1.0
info: {title: Notes, version: 1.0.0}
servers: [{url: "https://notes.example"}]
security: [{key: []}]
paths:
  /notes: {get: {operationId: listNotes, tags: [notes], responses: {"200": {description: Notes}}}}
  /tags: {post: {operationId: createTag, tags: [tags], responses: {"200": {description: Tags}}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
`;

test.each([
  ["nothing that concerns it", "version: 1.0.0", "version: 1.1.0", undefined],
  [
    "toolsets, of which one is left",
    "/tags: {post: {operationId: createTag, tags: [tags]",
    "/tags: {post: {operationId: createTag, tags: [notes]",
    undefined,
  ],
  [
    "the title, and with it every name",
    "title: Notes",
    "title: Memos",
    /^Environment variables renamed: NOTES_BASE_URL → MEMOS_BASE_URL, NOTES_API_KEY → MEMOS_API_KEY, .+ \(see \.env\.example\)\.$/m,
  ],
  [
    "credentials that are not asked for any more",
    "security: [{key: []}]",
    "security: []",
    /^Environment variables removed: NOTES_API_KEY, NOTES_AUTH \(see \.env\.example\)\.$/m,
  ],
])("a run reports removed variables: %s", async (_what, from, to, says) => {
  const root = scratch();
  writeFileSync(join(root, "api.yaml"), API);
  await mcpGen(["api.yaml", "-o", "out"], root);
  writeFileSync(
    join(root, "api.yaml"),
    readFileSync(join(root, "api.yaml"), "utf8").replace(from, to),
  );
  const runs = [
    await mcpGen(["api.yaml", "-o", "out", "--check"], root),
    await mcpGen(["api.yaml", "-o", "out"], root),
  ];
  for (const { out } of runs)
    expect(out).toEqual(
      says ? expect.stringMatching(says) : expect.not.stringContaining("Environment variables"),
    );
});
