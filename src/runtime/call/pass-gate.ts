/** The gate before the requests of a call. */
import { showRequest } from "../approvals/shown-request.js";
import type { WriteGate } from "../approvals/write-gate.js";
import { isPossibleWrite } from "../client/failures.js";
import type { ApiCall, AuthResult, BoundRequest } from "../request/types.js";
import type { ServerContext } from "../server/context.js";

/** A request that is about to be sent, with the gate of its call. */
interface GatedRequest {
  readonly server: Pick<ServerContext, "redactorFor" | "settings">;
  readonly call: ApiCall;
  readonly gate: WriteGate | undefined;
  readonly auth: Extract<AuthResult, { ok: true }>;
  readonly request: BoundRequest;
}

/**
 * Lets the gate decide about a request that may change something.
 * @throws WithheldError if it must not be sent
 */
export async function passGate({ server, call, gate, auth, request }: GatedRequest): Promise<void> {
  const { maxResultCharacters, dryRunReads } = server.settings;
  if (!gate || !(dryRunReads || isPossibleWrite(call))) return;
  const redact = server.redactorFor(auth.secrets);
  const show = () => showRequest(request, call.request, redact, maxResultCharacters);
  await gate.pass({ call, request, credentials: auth.credentials, redact, show });
}
