import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** What an expression may name: `github`, `needs`, `steps`, `env` … */
export type Contexts = Readonly<Record<string, unknown>>;

/** What happened so far in the job, or in those that it needs. */
export interface Status {
  readonly failed: boolean;
}

/** A text with its `${{ … }}` replaced, by GitHub's own evaluator. */
export function interpolate(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression, contexts, { failed: false }).coerceString(),
  );
}

/**
 * Whether a step or job runs. Without a word about success or failure, what failed before stops it.
 */
export function isMet(condition: string | undefined, contexts: Contexts, status: Status): boolean {
  const expression = (condition ?? "success()").replace(/^\s*\$\{\{(.*)\}\}\s*$/s, "$1");
  const whole = /\b(success|failure|cancelled|always)\(/.test(expression)
    ? expression
    : `success() && (${expression})`;
  return truth(evaluate(whole, contexts, status));
}

/** As the language has it: null, false, 0 and the empty text are false. */
function truth(value: data.ExpressionData): boolean {
  return !["", "false", "0"].includes(value.coerceString());
}

function evaluate(expression: string, contexts: Contexts, { failed }: Status): data.ExpressionData {
  const said = { success: !failed, failure: failed, cancelled: false, always: true };
  const functions = Object.entries(said).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const parsed = new Parser(
    new Lexer(expression.trim()).lex().tokens,
    Object.keys(contexts),
    functions,
  ).parse();
  const known = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  return new Evaluator(parsed, known, new Map(functions.map((one) => [one.name, one]))).evaluate();
}
