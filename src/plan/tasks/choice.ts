import type { ToolAnnotations } from "../../runtime/types.js";
import { annotate } from "../annotations.js";
import { opening } from "../describe/opening.js";
import { ended, fit, listed } from "../describe/sentences.js";
import { prose } from "../describe/prose.js";
import { describeTool, MAX_DESCRIPTION } from "../describe/tool.js";
import type { Subject } from "../kind.js";
import { sentenceCase } from "../name/title.js";
import type { PlannedOutput } from "../schema/output.js";
import { refOf } from "../select/index.js";
import { identifierFor, sendOf, type ToolContext, verbFirst } from "../tool.js";
import type { Find } from "./find.js";
import { mergedSchema, withAdvice } from "./find-tool.js";
import type { TaskTool } from "./index.js";
import { documentText, labelOf } from "./words.js";

const NOTHING_PASSED: ReadonlySet<string> = new Set();

/**
 * The tool of operations that do not list: what is given chooses between them (to create, or with
 * an ID to replace). The result is that of the chosen one, as it is.
 */
export function planChoice(
  find: Find,
  name: string,
  toolset: string,
  context: ToolContext,
): TaskTool {
  const subjects = find.members.map(({ request }) => request.subject);
  const inputs = find.inputs.inputs.map((merged) => withAdvice(merged, find, NOTHING_PASSED));
  const output = outputOf(subjects, context);
  const own = verbFirst(name, context);
  return {
    tool: {
      definition: {
        name,
        title: sentenceCase(own.split("_")),
        description: describeChoice(find, own, output && context.returns(output)),
        annotations: strictest(subjects, own),
        inputSchema: mergedSchema(inputs, find.inputs.defs),
        ...(output && { outputSchema: output.schema }),
        requests: find.variants.map(({ member, given }) => ({
          given,
          send: sendOf(member.request, context),
          read: output?.wrap ? { wrap: output.wrap } : {},
        })),
      },
      toolset,
      identifier: identifierFor(name, context),
      inputs: inputs.map(({ input }) => input),
      ...(output && { output: output.result }),
      operations: subjects.map(({ operation }) => refOf(operation)),
      reasons: [
        `Stands for ${subjects.map(labelOf).join(", ")}: the curation puts them together.`,
        ...new Set(find.members.flatMap(({ request }) => request.inputs.reasons)),
      ],
    },
    requests: find.members.map((member) => member.request),
  };
}

/** What any of them may return. */
function outputOf(subjects: readonly Subject[], context: ToolContext): PlannedOutput | undefined {
  const [first] = subjects as readonly [Subject, ...Subject[]];
  return context.output({
    ...first,
    success: subjects.flatMap(({ success }) => success),
    json: subjects.flatMap(({ json }) => json),
  });
}

/** What a client must reckon with, whichever is chosen. */
function strictest(subjects: readonly Subject[], name: string): ToolAnnotations {
  const each = subjects.map((subject) => annotate(subject, name));
  return {
    readOnlyHint: each.every(({ readOnlyHint }) => readOnlyHint),
    destructiveHint: each.some(({ destructiveHint }) => destructiveHint),
    idempotentHint: each.every(({ idempotentHint }) => idempotentHint),
    openWorldHint: true,
  };
}

/** `Create a user. With userId: Replace a user. Returns …` */
function describeChoice({ variants }: Find, name: string, returns: string | undefined): string {
  const [usual, ...others] = variants.toSorted((a, b) => a.given.length - b.given.length) as [
    Find["variants"][number],
    ...Find["variants"][number][],
  ];
  const { operation } = usual.member.request.subject;
  const { summary, description } = documentText(operation);
  const ways = others.map(({ member, given }) => {
    const text = documentText(member.request.subject.operation);
    return ended(
      `${given.length > 0 ? `With ${listed(given)}` : "Otherwise"}: ${opening(name, prose(text.summary), prose(text.description)).first}`,
    );
  });
  const tail = ways.join(" ");
  const text = describeTool({
    name,
    method: operation.method,
    reads: operation.method === "GET",
    summary: prose(summary),
    description,
    returns: returns === undefined ? tail : `${tail} ${returns}`,
    deprecated: operation.deprecated,
  });
  return fit(text, MAX_DESCRIPTION, false);
}
