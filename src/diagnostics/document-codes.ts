/** Codes reported by `src/model`. */
export const modelCodes = {
  // Unusable documents.
  /** No operation can be used; the message has the first reason. */
  "model-no-operations": "error",
  /** The document has too many schemas. */
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
  /** A value of the wrong type; it is left out or converted. */
  "model-value-type": "warning",
  /** A path that cannot be sent, such as one without a leading `/`. */
  "model-path": "warning",
  /** A path and its path parameters do not have the same names. */
  "model-path-parameter": "warning",
  /** An operationId that occurs twice. */
  "model-operation-id": "warning",
  /** An HTTP method that OpenAPI does not define, or that clients cannot send. */
  "model-method": "warning",
  /** A parameter without a name, location or schema, or with a combination that is not allowed. */
  "model-parameter": "warning",
  /** A parameter that is declared twice. */
  "model-duplicate-parameter": "warning",
  /** A style that the location or the type of the parameter does not allow. */
  "model-parameter-style": "warning",
  /** A header or a cookie that clients cannot send. */
  "model-header": "warning",
  /** A request body without usable content, or a form parameter beside a body. */
  "model-body": "warning",
  /** A request body of GET or HEAD. */
  "model-body-method": "warning",
  /** An invalid media type. */
  "model-media-type": "warning",
  /** An encoding that does not fit its field. */
  "model-encoding": "warning",
  /** A response whose key is not a status, a range or `default`. */
  "model-response": "warning",
  /** A server whose URL is invalid or cannot be used as it is. */
  "model-server": "warning",
  /** The URL of a server or an authorization server contains credentials; they are removed. */
  "model-server-credentials": "warning",
  /** A server variable without a default. */
  "model-server-variable": "warning",
  /** A security scheme with a missing or invalid field. */
  "model-security-scheme": "warning",
  /** A security requirement that is not an object, or names no usable security scheme. */
  "model-security-requirement": "warning",
  /** A link whose target does not exist. */
  "model-link": "warning",
  /** A schema, or the value of a keyword, of the wrong type. */
  "model-schema-keyword": "warning",
  /** A keyword that is not one of OpenAPI 2.0 or 3.0. */
  "model-schema-unknown": "warning",
  /** An unknown type. */
  "model-schema-type": "warning",
  /** An `enum` that is empty, has duplicates or does not fit its type. */
  "model-schema-enum": "warning",
  /** A default that its schema does not accept. */
  "model-schema-default": "warning",
  /** A discriminator that does not identify its schemas. */
  "model-discriminator": "warning",
  /** Invisible characters in a text, which are removed. */
  "model-hidden-characters": "warning",
  /** An HTML comment in a text, which rendered text does not show. */
  "model-hidden-comment": "warning",
  /** A text that reads like an instruction to a model. */
  "model-prompt-injection": "warning",
  /** An encoding where none applies. */
  "model-encoding-ignored": "warning",
  /** A media range of a request, such as `application/*`; one media type is sent. */
  "model-media-type-range": "warning",
  /** A path with a fragment, which is removed. */
  "model-path-fragment": "warning",
  /** A path with a query, whose parameters are sent. */
  "model-path-query": "warning",
  /** A parameter, or a field of one, without effect. */
  "model-parameter-ignored": "warning",

  // Without loss, or required by the specification.
  /** Keywords next to a `$ref`, which OpenAPI 3.0 ignores. */
  "model-ref-siblings": "info",
  /** A `$dynamicRef`, which is read as a `$ref` or as any value. */
  "model-dynamic-ref": "info",
  /** A dialect of JSON Schema other than the default. */
  "model-dialect": "info",
  /** A keyword or a default that JSON Schema does not define or allow, without effect on validation. */
  "model-schema-annotation": "info",
  /** `additionalProperties: false` that would exclude the properties of alternatives; it is left out. */
  "model-schema-additional-properties": "info",
  /** `nullable` since OpenAPI 3.1, which removed it. */
  "model-schema-nullable": "info",
  /** A list under `items` without a type, read as `anyOf`, or an empty alternative, as null. */
  "model-schema-alternatives": "info",
  /** A discriminator of a schema without alternatives, mapping or extensions. */
  "model-discriminator-unused": "info",
  /** A `format` that the description contradicts. */
  "model-schema-format": "info",
  /** A `pattern` whose backslashes are all escaped twice. */
  "model-schema-pattern": "info",
  /** A required property whose own description says that it can be absent. */
  "model-schema-required": "info",
  /** An example that its schema does not accept, or whose `externalValue` is not fetched. */
  "model-example": "info",
  /** A field of a link that is not supported. */
  "model-field-ignored": "info",
  /** A media range of a response, such as `application/*`. */
  "model-response-range": "info",
  /** Two media types that are equivalent; the first is used. */
  "model-duplicate-media-type": "info",
  /** A header parameter that OpenAPI ignores: Accept, Content-Type or Authorization. */
  "model-header-ignored": "info",
  /** The header parameter Authorization, which is read as a credential. */
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
