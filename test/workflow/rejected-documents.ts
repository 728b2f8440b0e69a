/**
 * Documents from the specification's own repository and from other tools that are rejected, with
 * the diagnostic's code, position and pointer. All others compile. The official suites only judge
 * the structure: some of their valid documents call AsyncAPI channels, use XPath, or refer to
 * missing documents.
 */
export const rejected: Readonly<
  Record<string, readonly [code: string, at: string, pointer: string]>
> = {
  "oai-schema-tests-1.1/fail/async-both-operationId-and-channelPath.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/channelPath",
  ],
  "oai-schema-tests-1.1/fail/async-channelPath-without-action.arazzo.yaml": [
    "workflow-structure",
    "12:9",
    "#/workflows/0/steps/0",
  ],
  "oai-schema-tests-1.1/fail/async-depends-on-duplicate-values.arazzo.yaml": [
    "workflow-duplicate",
    "20:13",
    "#/workflows/0/steps/1/dependsOn/1",
  ],
  "oai-schema-tests-1.1/fail/async-depends-on-empty.arazzo.yaml": [
    "workflow-structure",
    "18:9",
    "#/workflows/0/steps/1/dependsOn",
  ],
  "oai-schema-tests-1.1/fail/async-depends-on-invalid-reference.arazzo.yaml": [
    "workflow-structure",
    "22:13",
    "#/workflows/0/steps/1/dependsOn/0",
  ],
  "oai-schema-tests-1.1/fail/channel-path-is-invalid-for-openapi.arazzo.yaml": [
    "workflow-structure",
    "12:9",
    "#/workflows/0/steps/0",
  ],
  "oai-schema-tests-1.1/fail/invalid-arazzo-version.yaml": ["workflow-version", "1:1", "#/arazzo"],
  "oai-schema-tests-1.1/fail/invalid-async-correlation-id-non-receive-action.arazzo.yaml": [
    "workflow-structure",
    "15:9",
    "#/workflows/0/steps/0/correlationId",
  ],
  "oai-schema-tests-1.1/fail/invalid-async-parameter-without-in.arazzo.yaml": [
    "workflow-structure",
    "16:13",
    "#/workflows/0/steps/0/parameters/0",
  ],
  "oai-schema-tests-1.1/fail/invalid-async.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/action",
  ],
  "oai-schema-tests-1.1/fail/invalid-expression-type-object.arazzo.yaml": [
    "workflow-structure",
    "16:13",
    "#/workflows/0/steps/0/outputs/brokenSelector/expression",
  ],
  "oai-schema-tests-1.1/fail/invalid-openapi-parameter-without-in.arazzo.yaml": [
    "workflow-structure",
    "15:13",
    "#/workflows/0/steps/0/parameters/0",
  ],
  "oai-schema-tests-1.1/fail/invalid-openapi-success-criteria.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/successCriteria",
  ],
  "oai-schema-tests-1.1/fail/invalid-querystring-without-value.arazzo.yaml": [
    "workflow-structure",
    "15:13",
    "#/workflows/0/steps/0/parameters/0",
  ],
  "oai-schema-tests-1.1/fail/invalid-selector-object.arazzo.yaml": [
    "workflow-structure",
    "16:13",
    "#/workflows/0/steps/0/outputs/brokenOutput/expression",
  ],
  "oai-schema-tests-1.1/fail/invalid-self-fragment.arazzo.yaml": [
    "workflow-structure",
    "2:1",
    "#/$self",
  ],
  "oai-schema-tests-1.1/fail/invalid-targetSelectorType.arazzo.yaml": [
    "workflow-structure",
    "18:15",
    "#/workflows/0/steps/0/requestBody/replacements/0/targetSelectorType",
  ],
  "oai-schema-tests-1.1/fail/invalid-workflow-step-with-operationId.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/workflowId",
  ],
  "oai-schema-tests-1.1/fail/invalid-workflow-success-criteria.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/successCriteria",
  ],
  "oai-schema-tests-1.1/fail/not-an-object.yaml": ["workflow-version", "1:1", "#"],
  "oai-schema-tests-1.1/fail/openapi-both-operationId-and-operationPath.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/operationPath",
  ],
  "oai-schema-tests-1.1/fail/openapi-duplicate-parameters.arazzo.yaml": [
    "workflow-duplicate",
    "18:13",
    "#/workflows/0/steps/0/parameters/1",
  ],
  "oai-schema-tests-1.1/fail/openapi-missing-operation-target.arazzo.yaml": [
    "workflow-structure",
    "12:9",
    "#/workflows/0/steps/0",
  ],
  "oai-schema-tests-1.1/fail/workflow-duplicate-parameters.arazzo.yaml": [
    "workflow-duplicate",
    "17:13",
    "#/workflows/0/steps/0/parameters/1",
  ],
  "oai-schema-tests-1.1/fail/workflow-missing-workflowId.arazzo.yaml": [
    "workflow-structure",
    "12:9",
    "#/workflows/0/steps/0",
  ],
  "oai-schema-tests-1.1/fail/workflow-step-with-action.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/action",
  ],
  "oai-schema-tests-1.1/fail/workflow-step-with-channelPath.arazzo.yaml": [
    "workflow-structure",
    "14:9",
    "#/workflows/0/steps/0/channelPath",
  ],
  "oai-schema-tests-1.1/pass/async-correlation-id-for-receive-action.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/operationId",
  ],
  // Its second document is on the network.
  "oai-schema-tests-1.1/pass/async-depends-on-across-document.arazzo.yaml": [
    "workflow-source",
    "10:5",
    "#/sourceDescriptions/1/url",
  ],
  "oai-schema-tests-1.1/pass/async-depends-on-cross-workflow.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/operationId",
  ],
  "oai-schema-tests-1.1/pass/async-depends-on.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/operationId",
  ],
  "oai-schema-tests-1.1/pass/async-parameter-reusable-reference.arazzo.yaml": [
    "workflow-asyncapi",
    "19:9",
    "#/workflows/0/steps/0/operationId",
  ],
  "oai-schema-tests-1.1/pass/async-parameter-with-in.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/operationId",
  ],
  "oai-schema-tests-1.1/pass/async-receive-without-correlation-id.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/operationId",
  ],
  "oai-schema-tests-1.1/pass/async-with-channel-path.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/channelPath",
  ],
  "oai-schema-tests-1.1/pass/asyncapi-success-criteria.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/operationId",
  ],
  "oai-schema-tests-1.1/pass/characterization-async-invalid-channelPath-string.arazzo.yaml": [
    "workflow-asyncapi",
    "15:9",
    "#/workflows/0/steps/0/channelPath",
  ],
  "oai-schema-tests-1.1/pass/characterization-asyncapi-operationId-without-action.arazzo.yaml": [
    "workflow-asyncapi",
    "15:9",
    "#/workflows/0/steps/0/operationId",
  ],
  "oai-schema-tests-1.1/pass/characterization-openapi-invalid-operationPath-string.arazzo.yaml": [
    "workflow-operation",
    "15:9",
    "#/workflows/0/steps/0/operationPath",
  ],
  "oai-schema-tests-1.1/pass/criterion-with-extended-xpath.arazzo.yaml": [
    "workflow-xpath",
    "18:15",
    "#/workflows/0/steps/0/successCriteria/0/type/type",
  ],
  "oai-schema-tests-1.1/pass/minimal-async.arazzo.yaml": [
    "workflow-asyncapi",
    "13:9",
    "#/workflows/0/steps/0/operationId",
  ],
  // Its sources do not exist.
  "oai-schema-tests-1.1/pass/openapi-and-asyncapi.arazzo.yaml": [
    "workflow-source",
    "7:3",
    "#/sourceDescriptions/0/url",
  ],
  // Its expression refers to an unknown step.
  "oai-schema-tests-1.1/pass/payload-replacement-using-selector.arazzo.yaml": [
    "workflow-expression",
    "18:15",
    "#/workflows/0/steps/0/requestBody/replacements/0/value",
  ],
  "redocly-cli/tests/e2e/lint/arazzo-1-1-valid-description/cafe-workflows.yaml": [
    "workflow-asyncapi",
    "144:9",
    "#/workflows/2/steps/0/channelPath",
  ],
  // x-operation is a vendor extension.
  "redocly-respect/free-apis/free.arazzo.yaml": [
    "workflow-structure",
    "12:9",
    "#/workflows/0/steps/0",
  ],
  "redocly-respect/workflow-depends-on-not-found/workflow-depends-on-not-found.arazzo.yaml": [
    "workflow-unknown-workflow",
    "15:9",
    "#/workflows/0/dependsOn/0",
  ],
};
