/** Dry run: reads are sent; a write is shown instead, with what was checked. */
import { omitUndefined } from "../data/values.js";
import {
  type AnyTool,
  type CallOutcome,
  deserializeTool,
  type StoredTool,
} from "../tools/definitions.js";
import { requestText, type ShownRequest } from "./shown-request.js";
import { type PendingWrite, WithheldError, type WriteGate } from "./write-gate.js";

/** A request that was not sent, with its tool. */
interface UnsentRequest extends ShownRequest {
  readonly tool: string;
}

/** Sentence for the user who asks for a dry run; undefined if it is possible. */
export const dryRunProblem: string | undefined = undefined;

/** Settings of a dry run: of writes, or also of reads. */
interface DryRunSettings {
  readonly dryRun: boolean;
  readonly dryRunReads: boolean;
}

/** In a dry run, tools return requests, not what their output schema says. */
export function withDryRun(
  tools: readonly StoredTool[],
  settingsOf: (tool: StoredTool) => DryRunSettings,
): readonly StoredTool[] {
  return tools.map((tool) => {
    const { dryRun, dryRunReads } = settingsOf(tool);
    if (!dryRun || (tool.annotations.readOnlyHint && !dryRunReads)) return tool;
    const { outputSchema: _, ...rest } = deserializeTool(tool);
    return rest as StoredTool;
  });
}

/** Creates the gate of a call of a dry run. */
export function createDryRunGate(envPrefix: string): WriteGate | undefined {
  return new DryRunGate(envPrefix);
}

/** Withholds every write, and shows them in place of the result. */
class DryRunGate implements WriteGate {
  private readonly requests: UnsentRequest[] = [];
  private readonly variables = new Set<string>();
  private readonly setting: string;

  constructor(envPrefix: string) {
    this.setting = `--dry-run and ${envPrefix}_DRY_RUN`;
  }

  async enter(): Promise<WriteGate> {
    return this;
  }

  get hasWithheld(): boolean {
    return this.requests.length > 0;
  }

  pass({ call, credentials, show }: PendingWrite): never {
    this.requests.push({ tool: call.tool.name, ...show() });
    for (const variable of credentials.variables) this.variables.add(variable);
    throw new WithheldError("A dry run does not send this request.");
  }

  settle(tool: Pick<AnyTool, "name"> & object, outcome: CallOutcome): CallOutcome {
    const isSequence = "run" in tool || "perform" in tool;
    const { name } = tool;
    if (!this.hasWithheld) return outcome;
    const { requests } = this;
    const data = omitUndefined({
      dryRun: true,
      requests,
      checked: this.checks(),
      notChecked: "whether the API accepts it",
      stopsAt: isSequence && requests.length === 1 ? stopText(name, requests) : undefined,
      next: nextText(requests, this.setting),
    });
    return {
      outcome: "dry_run",
      result: {
        content: [{ type: "text", text: textOf(name, data) }],
        structuredContent: data,
      },
    };
  }

  private checks(): readonly string[] {
    const variables = [...this.variables].join(", ");
    return [
      "the input matches the input schema",
      "the request can be built",
      ...(variables === "" ? [] : [`credentials are set (${variables})`]),
    ];
  }
}

function stopText(tool: string, [first]: readonly UnsentRequest[]): string {
  const at = first ? ` (${first.method} ${new URL(first.url).pathname})` : "";
  return (
    `${tool} stops at its first write${at}, because what follows may need its result. ` +
    "Further requests are not shown."
  );
}

/** The facts of a dry run, as the structured result has them. */
interface DryRunFacts {
  readonly requests: readonly UnsentRequest[];
  readonly checked: readonly string[];
  readonly notChecked: string;
  readonly stopsAt?: string;
  readonly next: string;
}

const nextText = (requests: readonly UnsentRequest[], setting: string): string =>
  `show this to the user. The server sends ${requests.length === 1 ? "it" : "them"} when it is started without ${setting}.`;

function textOf(tool: string, facts: DryRunFacts): string {
  const { requests, checked, notChecked, stopsAt, next } = facts;
  const isOne = requests.length === 1;
  const what = isOne ? "This request" : `These ${requests.length} requests`;
  return [
    `Dry run: ${tool} changed nothing. ${what} would be sent:`,
    ...requests.map((request) => `\n${requestText(request)}`),
    "",
    ...(stopsAt === undefined ? [] : [stopsAt]),
    `Checked: ${checked.join("; ")}. Not checked: ${notChecked}.`,
    `Next: ${next}`,
  ].join("\n");
}
