import type { InputProblem } from "../bind/types.js";
import type { Call } from "../errors/index.js";
import { read } from "../read/index.js";
import { type ApiResponse, type Failure, isFailure, isSuccess } from "../send/index.js";
import type { Stop } from "./failure.js";
import type { StepResult } from "./types.js";

/** The result of a step with what texts about it need. */
export interface Answered extends StepResult {
  readonly call?: Call;
  readonly answer?: ApiResponse | Failure;
  /** Where the workflow that the step calls came to its end. */
  readonly stop?: Stop;
  /** Why nothing was sent. */
  readonly problems?: readonly InputProblem[];
}

/** The result of a request that could not be put together. */
export function unsent(sent: Answered["sent"], problems: readonly InputProblem[]): Answered {
  return {
    came: false,
    ok: false,
    body: undefined,
    sent,
    url: "",
    method: "",
    header: () => undefined,
    requestHeader: () => undefined,
    problems,
  };
}

/** The result of a request. */
export function answered(
  call: Call,
  sent: Answered["sent"],
  answer: ApiResponse | Failure,
): Answered {
  const { url, method, headers } = call.request;
  const requestHeader = (name: string): string | undefined =>
    headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  const base = { sent, url, method, call, answer, requestHeader };
  if (isFailure(answer))
    return { ...base, came: false, ok: false, body: undefined, header: () => undefined };
  return {
    ...base,
    came: true,
    ok: isSuccess(answer),
    status: answer.status,
    body: bodyOf(answer, method),
    header: (name) => answer.headers.get(name) ?? undefined,
  };
}

/** What the answer holds: JSON as data, else its text. */
function bodyOf(answer: ApiResponse, method: string): unknown {
  const content = read(answer, false, method);
  if (content.kind === "json") return content.value;
  return content.kind === "text" ? content.text : undefined;
}
