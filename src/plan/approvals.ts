/** Tools whose writes the user must approve, as configured. */
import { suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { omitUndefined } from "../json.js";
import type { ApprovalScope } from "../runtime/api-definition.js";
import { needsApproval } from "../runtime/approvals/policy.js";
import type { OperationBinding } from "../runtime/types.js";
import { requestParameters, sourceInput } from "./bound-parameters.js";
import { returnsItems } from "./pagination/detect.js";
import {
  sharedPathInputs,
  thingReaders,
  type ToolOperation,
  withoutNames,
} from "./path-readers.js";
import { describeRenamed } from "./renamed-tools.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import type { PlanOptions } from "./options.js";
import type { PlannedTool } from "./types.js";

/** Marks the tools that ask in their texts, and lists the requests of workflows for the question. */
export function addApprovals(
  tools: readonly PlannedTool[],
  { configuration, membership }: PlanOptions,
  diagnostics: DiagnosticCollector,
): readonly PlannedTool[] {
  const scope = approvalScope(tools, configuration);
  if (scope === undefined) return tools;
  // The list of a server of several APIs has tools of the others, too.
  if (!membership) reportUnapproved(tools, configuration, ["approve"], diagnostics);
  const policy = {
    api: { approve: scope, envPrefix: "" },
    settings: { approvals: "ask" },
  } as const;
  const readers = thingReaders(tools);
  return tools.map((tool) => {
    const { definition, text, workflow, operations } = tool;
    if (!needsApproval(definition, policy)) return tool;
    const writes = operations.filter(({ method }) => !["GET", "HEAD"].includes(method));
    const sends = workflow ? writes.map(({ method, path }) => `${method} ${path}`) : undefined;
    const preview = workflow ? undefined : previewInput(tool);
    return {
      ...tool,
      text: { ...text, asksUser: true },
      definition: {
        ...definition,
        operations: definition.operations.map((one) =>
          withThing(preview ? withPreview(one, preview) : one, readers),
        ),
        ...omitUndefined({ sends }),
      },
    };
  });
}

/** Up to two words behind the last ID of a path: `/servers/{id}/actions/rebuild`. */
const ACTION = /(?<=\{\})(?:[/:][^/{}:]{1,100}){1,2}$/;

/** Adds the tool that gets the thing on which an action acts, if nothing else reads it. */
function withThing(
  binding: OperationBinding,
  readers: ReadonlyMap<string, ToolOperation>,
): OperationBinding {
  const { request, readBack } = binding;
  const path = withoutNames(request.path);
  const thing = ACTION.test(path) ? path.replace(ACTION, "") : undefined;
  const reader = thing === undefined || request.isRaw || readBack ? undefined : readers.get(thing);
  const inputs =
    reader && !returnsItems(reader.binding.response)
      ? sharedPathInputs(reader.binding.request, request)
      : undefined;
  return reader && inputs
    ? { ...binding, shows: { tool: reader.tool.definition.name, inputs } }
    : binding;
}

/** Names of parameters with which an operation only says what it would do. */
const DRY_RUN = /^(?:is_?)?(?:dry_?run|validate_?only|validation_?only)$/i;
/** Names that mean so only if their description says it. */
const PREVIEW = /^(?:preview|simulate|simulation|test_?run|what_?if)$/i;
const WITHOUT_EFFECT =
  /\b(?:without|not|never|instead of)\b[^.]{0,80}\b(?:creat|delet|remov|appl|sav|persist|execut|chang|perform|commit|mak|do)/i;

/** The optional switch that makes a write a dry run, with its value. */
function previewInput({ inputs }: PlannedTool): OperationBinding["preview"] {
  for (const { name, type, required, description = "" } of inputs) {
    const isMeant = DRY_RUN.test(name) || (PREVIEW.test(name) && WITHOUT_EFFECT.test(description));
    if (!isMeant || required || typeof type !== "object") continue;
    if (type.type === "boolean") return { input: name, value: true };
    // Kubernetes: all stages are processed, and nothing is persisted.
    if (type.type === "string" && /\bAll\b/.test(description) && /persist/.test(description))
      return { input: name, value: "All" };
  }
  return undefined;
}

/** Marks the operation that sends the input. */
function withPreview(
  binding: OperationBinding,
  preview: NonNullable<OperationBinding["preview"]>,
): OperationBinding {
  const sends = requestParameters(binding.request).some(
    ({ source }) => sourceInput(source) === preview.input,
  );
  return sends ? { ...binding, preview } : binding;
}

/** The scope of the API: as configured, else no tool, if a tool has its own. */
export function approvalScope(
  tools: readonly PlannedTool[],
  configuration: PlanOptions["configuration"],
): ApprovalScope | undefined {
  const hasOwn = tools.some(({ definition }) => (definition.approve ?? false) !== false);
  return configuration?.content.approve ?? (hasOwn ? [] : undefined);
}

/**
 * Reports names of a list that are not tools.
 * @param path key of the list: `["approve"]`, or `["apis", "crm", "approve"]`
 */
export function reportUnapproved(
  tools: readonly Pick<PlannedTool, "definition">[],
  configuration: PlanOptions["configuration"],
  path: readonly ["approve"] | readonly ["apis", string, "approve"],
  diagnostics: DiagnosticCollector,
): void {
  const { approve, apis } = configuration?.content ?? {};
  const listed = path.length === 1 ? approve : apis?.[path[1]]?.approve;
  if (typeof listed !== "object") return;
  const known = tools.map(({ definition }) => definition.name);
  for (const [i, name] of listed.entries()) {
    if (known.includes(name)) continue;
    diagnostics.add(
      "config-unknown-tool",
      `The tool ${quoteText(name)} of approve does not exist` +
        (describeRenamed(
          name,
          tools.map(({ definition }) => definition),
        ) ??
          (suggestionFor(name, known) || ".")),
      configuration?.locationOf([...path, i]),
    );
  }
}

/** The strictest of scopes: what any of them asks for. */
export function strictestScope(
  scopes: readonly (ApprovalScope | undefined)[],
): ApprovalScope | undefined {
  const known = scopes.filter((scope) => scope !== undefined);
  for (const word of ["writes", "destructive"] as const) if (known.includes(word)) return word;
  return known.length === 0 ? undefined : [...new Set(known.flat())];
}
