import { expect, test } from "vitest";
import { copyCommand, npxCommand, quoteForUser, withSlashes } from "../../src/cli/platform.js";

test.each([
  ["server", "linux", "server"],
  ["my server", "linux", "'my server'"],
  [".\\server", "linux", "'.\\server'"],
  [".\\server", "win32", ".\\server"],
  ["C:\\my server", "win32", '"C:\\my server"'],
  ["a&b", "win32", '"a&b"'],
])("to be typed: %s on %s", (given, platform, want) =>
  expect(quoteForUser(given, platform)).toBe(want),
);

test.each([
  ["linux", "npx", "cp"],
  ["darwin", "npx", "cp"],
  ["win32", "cmd /c npx", "copy"],
])("on %s a host starts %s, and a user types %s", (platform, npx, copy) =>
  expect([npxCommand(platform), copyCommand(platform)]).toEqual([npx, copy]),
);

test.each([
  [".\\api\\openapi.yaml", "\\", "./api/openapi.yaml"],
  ["--output=..\\server", "\\", "--output=../server"],
  ["a\\b.yaml", "/", "a\\b.yaml"],
])("a path for every system: %s where folders are separated by %s", (given, separator, want) =>
  expect(withSlashes(given, separator)).toBe(want),
);
