import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { ErrorAnswer, ParsedMessage } from "./message.js";

/**
 * The only revision with batches.
 * https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export const batchRevision = "2025-03-26";

type Answer = JSONRPCMessage | ErrorAnswer;

/**
 * Answers to the messages of batches, which wait for each other.
 * https://www.jsonrpc.org/specification#batch
 */
export interface Batches {
  /** Takes note of a batch before its messages are served. */
  open(messages: readonly ParsedMessage[]): void;
  /**
   * @param answer undefined when the request gets none, because it was cancelled. @returns whether
   *   it was asked in a batch
   */
  settle(id: unknown, answer?: Answer): boolean;
}

interface Batch {
  /** Ids of requests without an answer. */
  readonly waiting: unknown[];
  readonly answers: Answer[];
}

/** @param write takes all answers to a batch, when the last one is there */
export function createBatches(write: (answers: readonly Answer[]) => void): Batches {
  const batches = new Set<Batch>();
  function endIfAnswered(batch: Batch): void {
    if (batch.waiting.length > 0) return;
    batches.delete(batch);
    if (batch.answers.length > 0) write(batch.answers);
  }
  return {
    open(messages) {
      const batch: Batch = { waiting: [], answers: [] };
      batches.add(batch);
      for (const each of messages) {
        if (!each.ok) batch.answers.push(each.answer);
        else if ("method" in each.message && "id" in each.message)
          batch.waiting.push(each.message.id);
      }
      endIfAnswered(batch);
    },
    settle(id, answer) {
      for (const batch of batches) {
        const at = batch.waiting.indexOf(id);
        if (at === -1) continue;
        batch.waiting.splice(at, 1);
        if (answer) batch.answers.push(answer);
        endIfAnswered(batch);
        return true;
      }
      return false;
    },
  };
}
