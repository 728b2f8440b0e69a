import { truncateText } from "../text/sentences.js";
import type { InputCandidate } from "./candidates.js";

/** Number of hidden inputs, and what they would cost in `tools/list`. */
export interface HiddenInputCost {
  readonly inputs: number;
  /** Estimate: four bytes of JSON are one token. */
  readonly tokens: number;
}

/** Collects the inputs that are hidden by inference, each once per operation. */
export class HiddenInputs {
  private readonly byOperation = new Map<object, Map<InputCandidate, number>>();

  add(operation: object, candidate: InputCandidate): void {
    const hidden = this.byOperation.get(operation) ?? new Map<InputCandidate, number>();
    this.byOperation.set(operation, hidden.set(candidate, bytesOf(candidate)));
  }

  get cost(): HiddenInputCost {
    const bytes = [...this.byOperation.values()].flatMap((hidden) => [...hidden.values()]);
    return {
      inputs: bytes.length,
      tokens: Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 4),
    };
  }
}

const MAX_DESCRIPTION = 400;

function bytesOf({ wireName, schema, description = "" }: InputCandidate): number {
  const shown = { ...schema, description: truncateText(description, MAX_DESCRIPTION, false) };
  return Buffer.byteLength(JSON.stringify({ [wireName]: shown }));
}

/** Line of mcp-gen.yaml that makes an input of a hidden value. */
export function offerLine(wireName: string): string {
  const key = /^[a-z_][\w-]*$/i.test(wireName) ? wireName : JSON.stringify(wireName);
  return `parameters: {${key}: {hide: false}}`;
}
