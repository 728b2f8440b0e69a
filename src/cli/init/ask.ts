import type { ToolPlan } from "../../plan/index.js";
import { type Host, hosts } from "./hosts.js";

/** Answers that options have given. Their questions are not asked. */
export type GivenAnswers = { readonly [K in keyof Answers]: Answers[K] | undefined };

/**
 * Asks for the answers on the terminal.
 * @returns undefined if the user cancels, with Ctrl-C, Escape or the end of input (Ctrl-D)
 */
export async function ask(plan: ToolPlan, given: GivenAnswers): Promise<Answers | undefined> {
  const { isCancel, updateSettings, ...prompts } = await import("@clack/prompts");
  updateSettings({ aliases: { "\x04": "cancel" } });
  const steps = questions(plan, given, prompts);
  const answers: Record<string, unknown> = {};
  for (const [name, question] of Object.entries(steps)) {
    const answer = await question();
    if (isCancel(answer)) return undefined;
    answers[name] = answer;
  }
  return answers as unknown as Answers;
}

type Prompts = Pick<
  typeof import("@clack/prompts"),
  "text" | "password" | "multiselect" | "confirm" | "isCancel"
>;

/** One question per answer; a given answer is returned without asking. */
function questions(
  plan: ToolPlan,
  given: GivenAnswers,
  prompts: Omit<Prompts, "isCancel">,
): { readonly [K in keyof Answers]: () => Promise<unknown> } {
  const orAsk =
    <T>(answer: T | undefined, question: () => Promise<unknown>) =>
    (): Promise<unknown> =>
      answer === undefined ? question() : Promise.resolve(answer);
  return {
    output: orAsk(given.output, () =>
      prompts.text({ message: "Folder of the server", initialValue: "./server" }),
    ),
    toolsets: orAsk(given.toolsets, () => askToolsets(plan, prompts)),
    variables: orAsk(given.variables, () => askVariables(plan, prompts)),
    hosts: orAsk(given.hosts, () =>
      prompts.multiselect({
        message: "Hosts to configure",
        options: hosts.map((host) => ({ value: host, label: host.title })),
        required: false,
      }),
    ),
    ci: orAsk(given.ci, () =>
      prompts.confirm({
        message: "Write a GitHub workflow that checks the server on every pull request?",
        initialValue: false,
      }),
    ),
  };
}

async function askToolsets(
  { toolsets, tools }: ToolPlan,
  { multiselect }: Pick<Prompts, "multiselect">,
): Promise<unknown> {
  if (toolsets.length < 2) return [];
  const sizeOf = (name: string): number => tools.filter(({ toolset }) => toolset === name).length;
  const chosen = await multiselect({
    message: "Toolsets to list (none selected: all)",
    options: toolsets.map(({ name, title }) => ({
      value: name,
      label: title,
      hint: `${sizeOf(name)} tools`,
    })),
    required: false,
  });
  return chosen;
}

/** Asks for each variable in turn. After an empty answer, the variable stays unset. */
async function askVariables(
  plan: ToolPlan,
  { text, password }: Pick<Prompts, "text" | "password">,
): Promise<unknown> {
  const values: Record<string, string> = {};
  for (const { name, description, secret } of variablesToAsk(plan)) {
    const message = `${name}: ${description} (leave empty to set it later)`;
    const answer = await (secret ? password({ message }) : text({ message }));
    if (typeof answer === "symbol") return answer;
    if (answer) values[name] = answer;
  }
  return values;
}

/** Answers to the questions of `mcp-gen init`. */
export interface Answers {
  /** Folder of the generated project. */
  readonly output: string;
  /** Toolsets to list; empty for all. */
  readonly toolsets: readonly string[];
  /** Values of `.env`, by variable. */
  readonly variables: Readonly<Record<string, string>>;
  readonly hosts: readonly Host[];
  readonly ci: boolean;
}

/** Variables to ask for: the required ones, and those of credentials. */
function variablesToAsk({ environment }: ToolPlan): ToolPlan["environment"] {
  return environment.filter(({ required, secret }) => required || secret);
}
