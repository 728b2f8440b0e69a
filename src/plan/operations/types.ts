/** Facts about operations: their identity, path, effects and kind. */
import type { SourceLocation } from "../../diagnostics/index.js";
import type { Content, Operation, ParameterLocation, Response } from "../../model/types.js";
import type { ToolEffect } from "../../runtime/types.js";

export interface OperationRef {
  readonly operationId?: string;
  readonly method: string;
  readonly path: string;
  readonly location: SourceLocation;
}

/** Effect of an operation on the API's data or on the world. */
export type Effect = ToolEffect;

/** Part of the document that describes the effect of an operation. */
export type EvidenceSource =
  | "method"
  | "operationId"
  | "path"
  | "summary"
  | "description"
  | "request"
  | "response";

/** One indication of an effect, with the words of the document. */
export interface Evidence {
  readonly source: EvidenceSource;
  readonly effect: Effect;
  /** Words of the document: `Delete`, `will be overwritten`. */
  readonly words: string;
  /** True if the document does not say what the words do. */
  readonly isUnknown?: true;
  /** Rule that found the words, and its weight. Absent for verbs, which `src/language` lists. */
  readonly rule?: string;
  readonly weight?: number;
}

/** An action that a text states: `Sends an email` → send, an email. */
export interface Action {
  /** In the imperative. Phrasal verbs have an underscore. */
  readonly verb: string;
  readonly effect: Effect;
  /** Lower-case words after the verb, up to the end of the sentence. */
  readonly object: string;
}

/** Effect of an operation, with the evidence for it. */
export interface OperationEffects {
  readonly effect: Effect;
  /** Action that the summary or, without one, the first sentence states. */
  readonly mainAction?: Action;
  readonly isReadOnly: boolean;
  /** Data, access or running work can be lost. */
  readonly isDestructive: boolean;
  /** A second equal call has no further effect. */
  readonly isRepeatable: boolean;
  /** The document states that the effect cannot be undone. */
  readonly isIrreversible: boolean;
  /** The document states that omitted fields are lost. */
  readonly replacesAll: boolean;
  readonly evidence: readonly Evidence[];
  /** Evidence that contradicts the method or other evidence, so that the careful reading counts. */
  readonly conflict?: readonly [Evidence, Evidence];
}

/** A parsed operationId: group (`issues`), verb (`list`) and rest (`for repo`). */
export interface ParsedOperationId {
  /** Words of the group before the verb phrase: `issues` of `issues/list-for-repo`. Often empty. */
  readonly group: readonly string[];
  /** Usually one word; `create or update`, `bulk delete`. Empty when the identifier has no verb. */
  readonly verb: readonly string[];
  readonly rest: readonly string[];
  /** Groups that the path does not name, used when the name belongs to another operation. */
  readonly omittedGroup?: readonly string[];
}

/** Role of an operation for its resource. */
export type OperationKind =
  | "list"
  | "get"
  | "search"
  | "create"
  | "update"
  | "replace"
  | "delete"
  | "action";

/** An operation with the facts that follow from its path and responses. */
export interface OperationFacts {
  readonly operation: Operation;
  readonly pathParts: readonly PathSegment[];
  /** The last segment of the path is a verb: `/pets/{id}/adopt`, `/pets/findByStatus`. */
  readonly endsInVerb: boolean;
  /** Success responses, and their JSON contents. */
  readonly successResponses: readonly Response[];
  readonly jsonContents: readonly Content[];
  /** Absent without an operationId that adds words to method and path. */
  readonly parsedId?: ParsedOperationId;
}

/** An operation with the facts that naming, describing and annotating need. Created once. */
export interface ClassifiedOperation extends OperationFacts {
  readonly kind: OperationKind;
  readonly effects: OperationEffects;
}

/** One segment of a path template, or a part of one. */
export type PathSegment =
  | { readonly kind: "words"; readonly text: string; readonly words: readonly string[] }
  | { readonly kind: "param"; readonly name: string };

/** Position of a value in a request. */
export type InputLocation = ParameterLocation | "body";
