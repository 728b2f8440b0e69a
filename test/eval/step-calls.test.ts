import { expect, test } from "vitest";
import { CallRecorder } from "../../src/eval/record.js";
import { stepCalls } from "../../src/eval/step-calls.js";

const find = { tool: "find_pets", arguments: { q: "rex" } };
const get = { tool: "get_pet", arguments: { petId: "{{1.items[0].id}}" } };
const found = { step: 1, tool: "find_pets", result: { items: [{ id: "p1" }] } };
const got = { step: 2, tool: "get_pet", result: { id: "p1" } };
const failed = { step: 2, tool: "get_pet", error: "No such pet." };
const findCall = { tool: "find_pets", input: { q: "rex" }, isError: false };
const getCall = { tool: "get_pet", input: { petId: "p1" }, isError: false };

test.each<readonly [string, readonly object[], unknown, readonly object[]]>([
  ["all steps", [find, get], { steps: [found, got] }, [findCall, getCall]],
  [
    "a step that failed",
    [find, get],
    { steps: [found, failed], incomplete: "Step 2 failed. Step 1 was run." },
    [findCall, { ...getCall, isError: true, text: "No such pet." }],
  ],
  [
    "a step that was not made",
    [find, get],
    { steps: [found], incomplete: "Step 2 was not run. Step 1 was." },
    [findCall],
  ],
  [
    "a quiet step, whose values are not known",
    [{ ...find, quiet: true }, get],
    { steps: [got] },
    [findCall, { ...getCall, input: get.arguments }],
  ],
  ["the text of a host", [find], JSON.stringify({ steps: [found] }), [findCall]],
])("%s", (_, steps, result, want) => {
  expect(stepCalls("run_reads", { steps }, { isError: false, result })).toEqual(want);
});

test("a call that made none has failed steps", () => {
  const text = "Step 1 failed.\nStep 1 (find_pets): No.";
  expect(stepCalls("shop_run_steps", { steps: [find] }, { isError: true, result: text })).toEqual([
    { ...findCall, isError: true, text },
  ]);
});

test.each(["run_report", "run_steps_later", "find_pets"])("%s calls no steps", (name) => {
  expect(stepCalls(name, { steps: [find] }, { isError: false, result: {} })).toBeUndefined();
});

test("a conversation is recorded with the calls of its steps", () => {
  const recorder = new CallRecorder();
  const params = { name: "run_reads", arguments: { steps: [find, get] } };
  recorder.request(JSON.stringify({ id: 1, method: "tools/call", params }));
  const structuredContent = { steps: [found, failed], incomplete: "Step 2 failed." };
  recorder.response(JSON.stringify({ id: 1, result: { content: [], structuredContent } }));
  expect(recorder.calls).toEqual([{ tool: "find_pets", with: { q: "rex" } }]);
});
