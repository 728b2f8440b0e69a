/** Codes reported by `src/model`. */
export const modelCodes = {
  // Unusable documents.
  /** No operation can be used; the message has the first reason. */
  "model-no-operations": "error",
  /** The document has too many operations or schemas. */
  "model-too-large": "error",

  // Omitted or weakened parts.
  /** The target of a `$ref` does not exist. */
  "model-ref-missing": "warning",
  /** The target of a `$ref` is of another kind. */
  "model-ref-target": "warning",
  /** `$ref`s that lead back to themselves. */
  "model-ref-circular": "warning",
  /** Nesting beyond the limit is left out. */
  "model-nesting": "warning",
  /** A value of the wrong type is ignored. */
  "model-value-type": "warning",
  /** A path that does not start with `/`, or cannot be sent. */
  "model-path": "warning",
  /** A path parameter is missing, undeclared or declared twice. */
  "model-path-parameter": "warning",
  /** An operationId that occurs twice or is not a string. */
  "model-operation-id": "warning",
  /** An unknown HTTP method. */
  "model-method": "warning",
  /** A parameter without a name, location or schema. */
  "model-parameter": "warning",
  /** A parameter that is declared twice. */
  "model-duplicate-parameter": "warning",
  /** A style that the location or the type of the parameter does not allow. */
  "model-parameter-style": "warning",
  /** A header whose name HTTP does not allow. */
  "model-header": "warning",
  /** A request body without usable content. */
  "model-body": "warning",
  /** A request body for a method that does not allow one. */
  "model-body-method": "warning",
  /** An invalid media type. */
  "model-media-type": "warning",
  /** An encoding that does not fit its field. */
  "model-encoding": "warning",
  /** A response with an invalid status or content. */
  "model-response": "warning",
  /** A server with an invalid URL. */
  "model-server": "warning",
  /** A server URL with a password. */
  "model-server-credentials": "warning",
  /** A server variable without a default, or unused. */
  "model-server-variable": "warning",
  /** A security scheme that lacks a required field. */
  "model-security-scheme": "warning",
  /** A requirement that is not a list of scopes. */
  "model-security-requirement": "warning",
  /** A link whose target does not exist. */
  "model-link": "warning",
  /** A keyword whose value has the wrong type. */
  "model-schema-keyword": "warning",
  /** A schema that is neither an object nor a boolean. */
  "model-schema-unknown": "warning",
  /** An unknown type. */
  "model-schema-type": "warning",
  /** An `enum` that is empty or does not fit its type. */
  "model-schema-enum": "warning",
  /** A default that its schema does not accept. */
  "model-schema-default": "warning",
  /** A discriminator that does not identify its schemas. */
  "model-discriminator": "warning",
  /** Invisible characters in a text, which are removed. */
  "model-hidden-characters": "warning",
  /** A text that reads like an instruction to a model. */
  "model-prompt-injection": "warning",
  /** An encoding where none applies. */
  "model-encoding-ignored": "warning",
  /** A range such as `image/*` where one type is needed. */
  "model-media-type-range": "warning",
  /** A path with a fragment, which is removed. */
  "model-path-fragment": "warning",
  /** A path with a query, whose parameters are sent. */
  "model-path-query": "warning",
  /** A header parameter that HTTP or OpenAPI reserves. */
  "model-parameter-ignored": "warning",

  // Without loss, or required by the specification.
  /** Keywords next to a `$ref`, which OpenAPI 3.0 ignores. */
  "model-ref-siblings": "info",
  /** A `$dynamicRef`, which is read as `$ref`. */
  "model-dynamic-ref": "info",
  /** A dialect of JSON Schema other than the default. */
  "model-dialect": "info",
  /** A keyword without effect on validation. */
  "model-schema-annotation": "info",
  /** `additionalProperties` where it has no effect. */
  "model-schema-additional-properties": "info",
  /** `nullable` without a type. */
  "model-schema-nullable": "info",
  /** A list under `items` without a type, read as `anyOf`, or an empty alternative, as null. */
  "model-schema-alternatives": "info",
  /** A discriminator that selects nothing. */
  "model-discriminator-unused": "info",
  /** A `format` that the description contradicts. */
  "model-schema-format": "info",
  /** An example that its schema does not accept. */
  "model-example": "info",
  /** A field that the document's OpenAPI version does not define. */
  "model-field-ignored": "info",
  /** A range of statuses such as `2XX`. */
  "model-response-range": "info",
  /** A media type that occurs twice. */
  "model-duplicate-media-type": "info",
  /** A response header that OpenAPI reserves. */
  "model-header-ignored": "info",
  /** A header parameter that carries a credential. */
  "model-header-credential": "info",
  /** Callbacks, which tools cannot receive. */
  "model-callbacks": "info",
  /** Webhooks, which tools cannot receive. */
  "model-webhooks": "info",
} as const;

/** Codes reported by `src/workflow` and by the planning of workflows. */
export const workflowCodes = {
  /** Not an Arazzo document, or an unsupported version. */
  "workflow-version": "error",
  /** A key is missing, unknown or has an invalid value. */
  "workflow-structure": "error",
  /** A workflow with an error, which is left out; the message has the first one. */
  "workflow-omitted": "warning",
  /** Two workflows, steps or sources share a name. */
  "workflow-duplicate": "error",
  /** A reference to an undefined reusable object. */
  "workflow-reference": "error",
  /** An invalid runtime expression, or one without a target. */
  "workflow-expression": "error",
  /** A misspelled expression with only one possible meaning. */
  "workflow-expression-spelling": "warning",
  /** An expression refers to an undefined output, so its value is always absent. */
  "workflow-output": "warning",
  /** A condition that cannot be parsed. */
  "workflow-condition": "error",
  /** A comparison instead of a JSONPath query. */
  "workflow-comparison": "warning",
  /** A JSONPath version that is evaluated as RFC 9535. */
  "workflow-jsonpath-version": "warning",
  /** An expression uses an undeclared input. */
  "workflow-input": "warning",
  /** XPath is not supported. */
  "workflow-xpath": "error",
  /** AsyncAPI is not supported. */
  "workflow-asyncapi": "error",
  /** A source description that cannot be read. */
  "workflow-source": "error",
  /** An unreadable source is assumed to be the main document. */
  "workflow-source-assumed": "warning",
  /** A step names an operation that no source has. */
  "workflow-operation": "error",
  /** An operationId that differs from the document's in case only. */
  "workflow-operation-spelling": "warning",
  /** A reference to a step that does not exist. */
  "workflow-step": "error",
  /** A reference to a workflow that does not exist. */
  "workflow-unknown-workflow": "error",
  /** Workflows or steps that depend on each other in a cycle. */
  "workflow-cycle": "error",
  /** Too many workflows call each other in a chain. */
  "workflow-depth": "error",
  /** A workflow with more steps than one call may run, or more conditions than can be compiled. */
  "workflow-too-large": "error",
  /** Steps that never terminate. */
  "workflow-non-terminating": "error",
  /** A step that is never reached. */
  "workflow-unreachable": "warning",
  /** An unknown parameter, or a missing required one. */
  "workflow-parameter": "warning",
  /** A path parameter that is not in the path. */
  "workflow-parameter-location": "error",
  /** A request body that the operation does not accept. */
  "workflow-body": "warning",
  /** A field that has no effect. */
  "workflow-no-effect": "warning",
} as const;
