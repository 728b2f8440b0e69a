import type { ToolPlan } from "../../plan/index.js";
import { plansOfApis } from "../summary.js";
import { describeUnwritable, type Host, hosts } from "./hosts.js";

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
  "text" | "password" | "select" | "multiselect" | "confirm" | "isCancel"
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
    approve: orAsk(given.approve ?? noneToApprove(plan), () =>
      prompts.confirm({
        message: "Let the server ask the user before destructive requests (hosts must show forms)?",
        initialValue: false,
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

/** False for an API without destructive tools, where there is nothing to ask. */
function noneToApprove({ tools }: ToolPlan): false | undefined {
  const isAny = tools.some(({ definition }) => definition.annotations.destructiveHint);
  return isAny ? undefined : false;
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
  { text, password, select }: Pick<Prompts, "text" | "password" | "select">,
): Promise<unknown> {
  const names = await chooseVariables(plan, select);
  if (typeof names === "symbol") return names;
  const values: Record<string, string> = {};
  for (const { name, description, secret } of plan.environment) {
    if (!names.includes(name)) continue;
    const message = `${name}: ${description} (leave empty to set it later)`;
    const validate = (value = ""): string | undefined => describeUnwritable(value);
    const answer = await (secret ? password({ message, validate }) : text({ message, validate }));
    if (typeof answer === "symbol") return answer;
    if (answer) values[name] = answer;
  }
  return values;
}

/** Chooses the variables to ask for, of each API in turn. */
async function chooseVariables(
  plan: ToolPlan,
  select: Prompts["select"],
): Promise<readonly string[] | symbol> {
  const chosen: string[] = [];
  for (const own of plansOfApis(plan)) {
    const names = await chooseVariablesOfApi(own, select, plan.apis ? own.api.title : "the API");
    if (typeof names === "symbol") return names;
    chosen.push(...names);
  }
  return chosen;
}

/**
 * Chooses the required variables and those of credentials; of alternative credentials, those that
 * the person selects.
 */
async function chooseVariablesOfApi(
  { api, environment, credentialAlternatives = [] }: ToolPlan,
  select: Prompts["select"],
  title: string,
): Promise<readonly string[] | symbol> {
  const names = environment
    .filter(({ required, secret }) => required || secret)
    .map(({ name }) => name);
  if (credentialAlternatives.length === 0) return names;
  const chosen = await select<readonly string[]>({
    message: `Credentials of ${title}`,
    options: [
      ...credentialAlternatives.map((value) => ({ value, label: value.join(" and ") })),
      { value: [], label: "set them later" },
    ],
  });
  if (typeof chosen === "symbol") return chosen;
  const schemes = Object.values(api.securitySchemes);
  const ofSchemes = new Set(schemes.flatMap((scheme): unknown[] => Object.values(scheme)));
  return [...names.filter((name) => !ofSchemes.has(name)), ...chosen.flatMap(toVariables)];

  /** A client that signs users in may have a secret. */
  function toVariables(part: string): readonly string[] {
    const [name = "", suffix] = part.split(" ");
    const client = schemes.find((scheme) => "clientIdEnv" in scheme && scheme.clientIdEnv === name);
    const secret = client?.kind === "oauth2" ? client.clientSecretEnv : undefined;
    return suffix === undefined || secret === undefined ? [name] : [name, secret];
  }
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
  /** True if the user is asked before destructive requests. */
  readonly approve: boolean;
  readonly ci: boolean;
}
