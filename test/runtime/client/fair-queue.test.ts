import { describe, expect, test } from "vitest";
import { FairQueue } from "../../../src/runtime/client/fair-queue.js";

interface Entry {
  readonly caller: string;
  readonly tool: string;
  readonly name: string;
}

/** Entries of a text such as `a.read1 b.read2`: caller, tool and number. */
function entriesOf(text: string): readonly Entry[] {
  return text.split(" ").map((name) => {
    const [caller = "", tool = ""] = name.split(".");
    return { caller, tool: tool.replace(/\d+$/, ""), name };
  });
}

function queueOf(text: string): FairQueue<Entry> {
  const queue = new FairQueue<Entry>();
  for (const entry of entriesOf(text)) queue.add(entry);
  return queue;
}

function order(queue: FairQueue<Entry>, isEligible = (_: string): boolean => true): string {
  const names: string[] = [];
  for (let next = queue.take(isEligible); next; next = queue.take(isEligible))
    names.push(next.name);
  return names.join(" ");
}

describe("turns", () => {
  test.each([
    ["one caller and tool", "a.x1 a.x2 a.x3", "a.x1 a.x2 a.x3"],
    ["callers", "a.x1 a.x2 a.x3 b.x1 b.x2 c.x1", "a.x1 b.x1 c.x1 a.x2 b.x2 a.x3"],
    ["tools of a caller", "a.x1 a.x2 a.x3 a.y1", "a.x1 a.y1 a.x2 a.x3"],
    ["callers before tools", "a.x1 a.y1 a.z1 b.x1 b.x2", "a.x1 b.x1 a.y1 b.x2 a.z1"],
  ])("%s", (_, queued, want) => expect(order(queueOf(queued))).toBe(want));

  test("a caller that is not eligible keeps its turn", () => {
    const queue = queueOf("a.x1 a.x2 b.x1");
    expect(order(queue, (caller) => caller !== "a")).toBe("b.x1");
    expect([queue.size, order(queue)]).toEqual([2, "a.x1 a.x2"]);
  });

  test("an entry that leaves is skipped", () => {
    const queue = new FairQueue<Entry>();
    const [first, second] = entriesOf("a.x1 a.x2") as [Entry, Entry];
    queue.add(first);
    queue.add(second);
    queue.delete(first);
    queue.delete(first);
    expect([queue.size, order(queue), queue.size]).toEqual([1, "a.x2", 0]);
  });
});

describe("entries ahead of a new one", () => {
  test.each([
    ["a.x1 a.x2 a.x3", "a", 3],
    ["a.x1 a.x2 a.x3", "b", 1],
    ["a.x1 a.x2 a.x3 b.x1", "b", 3],
    ["a.x1 b.x1 c.x1", "d", 3],
    ["a.x1 b.x1 c.x1 c.x2", "c", 4],
  ])("%s, then %s", (queued, caller, want) =>
    expect(queueOf(queued).countAhead(caller)).toBe(want),
  );
});
