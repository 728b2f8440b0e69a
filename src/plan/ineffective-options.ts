/** Options that change nothing of a plan. A user who sets one expects something of it. */
import type { ConfigurationFile } from "../configuration/types.js";
import { isObject } from "../json.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import { apiDocumentation } from "./documentation.js";
import { includesLists } from "./ineffective-rules.js";
import { addNameLookUps } from "./name-look-ups/index.js";
import { isOpenWorld } from "./open-world.js";
import { addCountOnly } from "./pagination/count-only.js";
import { addSeveralIds } from "./several-ids.js";
import type { PlanFacts } from "./plan-facts.js";

/** An option, where it is set, and why it changes nothing. */
interface Finding {
  /** Name on the command line, for one that the file does not have. */
  readonly flag?: string;
  /** Path of the key in `mcp-gen.yaml`. */
  readonly key: readonly string[];
  readonly reason: string;
}

/** Reports the options of a run that change nothing. */
export function reportIneffectiveOptions(facts: PlanFacts, diagnostics: DiagnosticCollector): void {
  const { configuration } = facts.options;
  for (const { flag, key, reason } of findIneffective(facts)) {
    const isOfFile = flag === undefined || hasKey(configuration?.content, key);
    diagnostics.add(
      "config-ineffective",
      `\`${isOfFile ? key.join(".") : flag}\` changes nothing. ${reason}.`,
      isOfFile ? configuration?.locationOf(key) : undefined,
      "Remove it.",
    );
  }
}

function hasKey(content: ConfigurationFile | undefined, path: readonly string[]): boolean {
  let value: unknown = content;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return value !== undefined;
}

function findIneffective(facts: PlanFacts): readonly Finding[] {
  const { configuration, membership } = facts.options;
  // The content of one API of several has values that its file does not have.
  const keys = membership ? [] : emptyKeys(configuration?.content);
  const empty = keys.map((key) => ({ key, reason: "It is empty" }));
  return [...selectionFindings(facts), ...serverFindings(facts), ...empty];
}

/** Keys whose values are data of the owner, and keys to which an empty list means something. */
const MEANINGFUL = new Set(["approve", "security", "listed", "fixed", "default"]);

/** Paths of the keys with an empty object or list. */
function emptyKeys(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = [...path, name];
    if (MEANINGFUL.has(name)) return [];
    const isEmpty = Array.isArray(member)
      ? member.length === 0
      : isObject(member) && Object.keys(member).length === 0;
    // An empty rule of a tool selects its operation.
    const isRule = path.length === 1 && path[0] === "tools";
    return isEmpty && !isRule ? [own] : emptyKeys(member, own);
  });
}

/** Options about the selected operations and the form of the tools. */
function selectionFindings({ model, options, tools, budget }: PlanFacts): readonly Finding[] {
  const { configuration, includeDeprecated, output, membership } = options;
  const listed = configuration?.content.budget?.listed ?? [];
  const hasOutput = tools.some(({ definition }) => definition.outputSchema !== undefined);
  const approve = configuration?.content.approve;
  return findings(
    typeof approve === "string" &&
      // It may be the default of all APIs of a server.
      !membership &&
      !tools.some(({ text }) => text.asksUser) && {
        key: ["approve"],
        reason: approve === "writes" ? "No tool writes" : "No tool is destructive",
      },
    includeDeprecated === true &&
      !model.operations.some(({ deprecated }) => deprecated) && {
        flag: "--include-deprecated",
        key: ["includeDeprecated"],
        reason: "The document has no deprecated operation",
      },
    output === "strict" &&
      !hasOutput && {
        flag: "--output-schemas",
        key: ["outputSchemas"],
        reason: "No tool has an output schema",
      },
    listed.length > 0 &&
      budget.mode === "discovery" && {
        key: ["budget", "listed"],
        reason: "With `onExceed: discovery`, only the tools that search and call others are listed",
      },
  );
}

/** Switches for all tools that turn off what no tool has. */
/** Keys of `server` that turn off what a document makes possible. */
type Switch =
  | "readBack"
  | "followPages"
  | "countOnly"
  | "bulkReads"
  | "bulkWrites"
  | "lookUpNames"
  | "includeLists"
  | "documentation";

const isReading = ({ definition }: PlanFacts["tools"][number]): boolean =>
  definition.annotations.readOnlyHint === true;

function serverFindings(facts: PlanFacts): readonly Finding[] {
  const { model, options, tools } = facts;
  const server = options.configuration?.content.server ?? {};
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  const off = (key: Switch, isUsed: () => boolean, reason: string): Finding | false =>
    server[key] === false && !isUsed() && { key: ["server", key], reason };
  return findings(
    off(
      "readBack",
      () => bindings.some(({ readBack }) => readBack !== undefined),
      "No update without a response has a tool that reads the item",
    ),
    off(
      "followPages",
      () => bindings.some(({ pagination }) => pagination?.isFollowed === true),
      "No tool has a list whose pages are followed",
    ),
    off(
      "countOnly",
      () => tools.some((tool) => addCountOnly(tool, {}, model.schemas) !== tool),
      "No tool has a list with a total and a page size",
    ),
    off(
      "bulkReads",
      () => tools.some((tool) => isReading(tool) && addSeveralIds(tool, {}) !== tool),
      "No tool reads one thing by its ID alone",
    ),
    off(
      "bulkWrites",
      () => tools.some((tool) => !isReading(tool) && addSeveralIds(tool, {}) !== tool),
      "No tool deletes or changes one thing by its ID alone",
    ),
    off(
      "lookUpNames",
      () => addNameLookUps(tools, {}, model.schemas).some((tool, i) => tool !== tools[i]),
      "No tool lists the things whose IDs other tools need",
    ),
    off(
      "includeLists",
      () => tools.some((tool) => includesLists(tool, facts)),
      "No tool gets a thing whose parts another tool lists",
    ),
    off(
      "documentation",
      () => apiDocumentation(model) !== undefined,
      "The instructions and the toolsets have all that the document says about the API",
    ),
    server.openWorld !== undefined &&
      tools.every((tool) => isOpenWorld(tool) === server.openWorld) && {
        key: ["server", "openWorld"],
        reason: server.openWorld
          ? "Every tool meets texts or systems of third parties anyway"
          : "No tool meets texts or systems of third parties anyway",
      },
    server.strictInputs === true &&
      tools.every(({ inputs }) => inputs.length === 0) && {
        key: ["server", "strictInputs"],
        reason: "No tool has inputs",
      },
    server.fields === true &&
      !bindings.some(({ response }) => response.fields) && {
        key: ["server", "fields"],
        reason: "No tool reads items of 12 fields or more",
      },
    server.readBack === true &&
      !bindings.some(({ readBack }) => readBack) && {
        key: ["server", "readBack"],
        reason: "No tool that writes has another one that reads the item",
      },
  );
}

const findings = (...candidates: readonly (Finding | false)[]): readonly Finding[] =>
  candidates.filter((one) => one !== false);
