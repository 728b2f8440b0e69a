/** Codes reported by `src/load`. */
export const loadCodes = {
  /** The file does not exist. */
  "load-not-found": "error",
  /** A folder, a device or a socket instead of a file. */
  "load-not-a-file": "error",
  /** The file cannot be read, usually for lack of permission. */
  "load-unreadable": "error",
  /** A limit on bytes, files, values or references is exceeded. */
  "load-too-large": "error",
  /** A URL that the policy rejects: not https, with credentials, or a disallowed redirect. */
  "load-url-rejected": "error",
  /** The URL could not be fetched. */
  "load-fetch-failed": "error",
  /** No content except white space and comments. */
  "load-empty": "error",
  /** The text is not UTF-8. */
  "load-not-utf8": "error",
  /** A web page, an archive or an image instead of JSON or YAML. */
  "load-not-text": "error",
  /** Invalid JSON or YAML. */
  "load-syntax": "error",
  /** Several YAML documents in one file. */
  "load-multiple-documents": "error",
  /** The nesting exceeds the limit. */
  "load-too-deep": "error",
  /** YAML aliases expand beyond the limit or contain themselves. */
  "load-alias": "error",
  /** A key occurs twice in an object; the last one counts. */
  "load-duplicate-key": "warning",
  /** A valid document of another format. */
  "load-not-openapi": "error",
  /** An unsupported version of OpenAPI. */
  "load-unsupported-version": "error",
  /** The version is a number or incomplete. */
  "load-version-format": "warning",
  /** `paths` is not an object. */
  "load-wrong-type": "error",
  /** Another top-level field has the wrong type and is left out. */
  "load-part-omitted": "warning",
  /** The document has no operations. */
  "load-no-operations": "error",
  /** A source of workflows that the policy for files and hosts rejects. */
  "load-ref-rejected": "error",
  /** The target of a `$ref` does not exist, is not allowed or cannot be used. */
  "load-ref-broken": "warning",
  /** `$ref`s that refer only to each other. */
  "load-ref-circular": "warning",
  /** Additional `$ref`s that would stop the run, after the one that is the error. */
  "load-ref-also-broken": "warning",
  /** A broken `$ref` that no operation uses. */
  "load-ref-broken-unused": "warning",
  /** Referenced documentation or an example could not be read. */
  "load-ref-omitted": "warning",
  /** The files could not be bundled into one document. */
  "load-bundle": "error",
} as const;

/** Codes reported by `src/overlay`. */
export const overlayCodes = {
  /** The overlay does not have the form of the specification. */
  "overlay-invalid": "error",
  /** A target that is not valid JSONPath. */
  "overlay-path-invalid": "error",
  /** An update that does not fit the type of its target. */
  "overlay-type-mismatch": "error",
  /** The source of a `copy` selects no value, or more than one. */
  "overlay-copy-source": "error",
  /** The actions visit or write too many values. */
  "overlay-limit": "error",
  /** The target of an action selects nothing. */
  "overlay-no-match": "warning",
  /** An update replaced a value of another type. */
  "overlay-type-replaced": "warning",
  /** An action has both `copy` and `update`. */
  "overlay-copy-and-update": "warning",
} as const;

/** Codes reported by `src/configuration` and by the part of `src/plan` that applies it. */
export const configurationCodes = {
  /** `mcp-gen.yaml` is not valid YAML. */
  "config-syntax": "error",
  /** A key that does not exist. */
  "config-unknown-key": "error",
  /** A key about one API at the top level of a file with several. */
  "config-misplaced-key": "error",
  /** A value of the wrong type or format. */
  "config-invalid-value": "error",
  /** A rule names an operation that is not in the document. */
  "config-unknown-operation": "error",
  /** Two rules configure the same operation. */
  "config-duplicate-rule": "error",
  /** A rule names a tool that does not exist. */
  "config-unknown-tool": "error",
  /** Two tools have the same name, or a name is not allowed. */
  "config-tool-name": "error",
  /** A rule or a `{placeholder}` names an input that the tool does not have. */
  "config-unknown-input": "error",
  /** `{tool:name}` refers to a tool that does not exist. */
  "config-unknown-tool-reference": "error",
  /** A rule names a parameter or a field that no selected operation has. */
  "config-unknown-parameter": "error",
  /** A rule names a field that the result does not have. */
  "config-unknown-field": "error",
  /** A value that the input does not accept, or a hidden part of a path. */
  "config-incompatible-value": "error",
  /** The configured operations cannot be merged into one tool. */
  "config-merge": "error",
  /** Pagination is configured for an operation without pages. */
  "config-pagination": "error",
  /** Pagination is configured, but the document does not describe how to request the next page. */
  "config-pagination-method": "warning",
  /** A name cannot be looked up as configured: unknown tool or field, or missing inputs. */
  "config-resolve": "error",
  /** A selection rule matches no operation. */
  "config-no-match": "error",
  /** A required input is hidden without a value. */
  "config-hidden-required": "warning",
  /** An invalid part of an `x-mcp` extension. */
  "config-x-mcp": "warning",
  /** A rule names a workflow that does not exist. */
  "config-unknown-workflow": "error",
  /** A rule that changes no selected tool. */
  "config-no-effect": "error",
  /** A rule that changes no tool of this run, because the command line leaves its operations out. */
  "config-left-out": "info",
  /** A rule that states what the document states. It has its effect. */
  "config-restates": "info",
  /** A setting of the whole server that changes nothing. */
  "config-ineffective": "warning",
} as const;

/** Codes reported by `src/generate-apis.ts` and `src/plan/join`, for several APIs in one server. */
export const apisCodes = {
  /** Two APIs have one name. */
  "apis-same-name": "error",
  /** Two APIs are the same document. */
  "apis-same-document": "warning",
  /** Two APIs have the same name of a tool, of a toolset or of variables. */
  "apis-clash": "error",
  /** `--only-api` names an API that the server does not have. */
  "apis-unknown": "error",
} as const;

/** Codes reported by `src/plan`. */
export const planCodes = {
  /** A bug in mcp-gen. Please report it. */
  "plan-internal": "error",
  /** An invalid option: `--namespace`, `--name`, `--base-url`. */
  "plan-option": "error",
  /** A pattern of `--only` or `--skip` that matches no operation. */
  "plan-pattern": "error",
  /** No operation is selected. */
  "plan-no-tools": "error",
  /** The tools exceed the budget. `budget.onExceed` selects the code. */
  "plan-budget-discovery": "info",
  /** The tools exceed the budget by less than a tenth, and are still listed. */
  "plan-budget-near": "info",
  /** The tools exceed the budget, with `onExceed: warn`. */
  "plan-budget-warning": "warning",
  /** The tools exceed the budget, with `onExceed: error`. */
  "plan-budget-error": "error",
  /** A deprecated operation is excluded. */
  "plan-deprecated": "info",
  /** An operation is excluded by `--only`, `--skip` or `x-mcp`. */
  "plan-excluded": "info",
  /**
   * An operation is excluded, because another method of its path, or the same path without a slash
   * at its end, does the same.
   */
  "plan-method-duplicate": "info",
  /** An operation that only answers CORS preflight requests. */
  "plan-preflight": "info",
  /** Two paths that differ only in parameter names. */
  "plan-ambiguous-path": "warning",
  /** An operationId without a usable name; the tool is named after the path. */
  "plan-operation-id-ignored": "warning",
  /** A title that a framework set, such as FastAPI: variables and the package are named after it. */
  "plan-default-title": "warning",
  /** Two operations with the same name. */
  "plan-name-clash": "info",
  /** A parameter that is not an input: a credential, a header of the server, or one fixed value. */
  "plan-parameter-hidden": "info",
  /** An update that changes only what is sent, whose body requires fields. The tool does not require them. */
  "plan-update-required": "info",
  /** An alternative media type of a body with an equivalent encoding. */
  "plan-body-equivalent": "info",
  /** An alternative media type of a body with a different encoding. */
  "plan-body-alternative": "warning",
  /** A multipart type that is a range or not standardized, which is sent as form data. */
  "plan-multipart-type": "warning",
  /** A tool is left out, because a constant of its request cannot be sent. */
  "plan-constant-unsendable": "warning",
  /** A value of a parameter's enum is left out, because it cannot be sent. */
  "plan-value-unsendable": "warning",
  /** An input without a type, which accepts any value. */
  "plan-schema-untyped": "info",
  /** A keyword that hosts do not accept is left out. */
  "plan-schema-keyword": "warning",
  /** A pattern that hosts do not accept is left out. */
  "plan-schema-pattern": "warning",
  /** An `enum` that is too large for a tool list, or has a sentence beside its values, is left out. */
  "plan-schema-enum": "warning",
  /** A property that hosts cannot name is left out. */
  "plan-schema-property": "warning",
  /** A value that its schema does not accept is left out. */
  "plan-schema-value": "warning",
  /** A schema is truncated at the depth that hosts accept. */
  "plan-schema-depth": "warning",
  /** A schema is truncated at the size that hosts accept. */
  "plan-schema-size": "warning",
  /** Success responses with different schemas; the result is a union. */
  "plan-output-union": "info",
  /** The document has no server URL that can be called. */
  "plan-no-server": "warning",
  /** The servers of a path or an operation cannot be called. */
  "plan-operation-server": "warning",
  /** The server of an operation has another origin than the API and gets no credentials. */
  "plan-foreign-origin": "warning",
  /** Variables of the server get a suffix, because other programs read variables of this prefix. */
  "plan-env-prefix": "info",
  /** The token endpoint of a scheme has another origin than the API. */
  "plan-token-origin": "info",
  /** Many operations state no security requirement; the configured credentials are sent. */
  "plan-security-assumed": "warning",
  /** Security schemes that no operation requires. */
  "plan-security-unused": "info",
  /** An authentication scheme that needs more than a static credential. */
  "plan-security-scheme": "warning",
} as const;

/** Codes reported by `src/plan/lint`: weaknesses of tools whose definition is valid. */
export const lintCodes = {
  /** The document does not describe the operation. */
  "lint-missing-description": "info",
  /** Two tools share a description. */
  "lint-duplicate-description": "info",
  /** A tool name without a specific verb or noun. */
  "lint-generic-name": "info",
  /** Inputs without a description whose names are not self-explanatory. */
  "lint-undocumented-input": "info",
  /** Enum values without a documented meaning, such as 1, 2 and 3. */
  "lint-undocumented-enum": "info",
  /** More inputs than models handle reliably. */
  "lint-too-many-inputs": "info",
  /** A credential among the inputs of a tool. */
  "lint-credential-input": "warning",
  /** A request body without a schema. */
  "lint-untyped-body": "info",
  /** Contradictory evidence about the effect of an operation. */
  "lint-unclear-effect": "info",
  /** A result without a schema. */
  "lint-untyped-output": "info",
  /** Operations without documented error responses. */
  "lint-undocumented-errors": "info",
} as const;

/** Codes reported by `src/render`. */
export const renderCodes = {
  /**
   * The deployment has one replica, because sign-ins of callers, or a refresh token that can be
   * used once, are in the memory of a process.
   */
  "deploy-one-replica": "warning",
} as const;

/** Codes reported by `src/write`. */
export const writeCodes = {
  /** The folder is `/`, the home folder or the current folder. */
  "write-folder-refused": "error",
  /** The output path is a file or a link, or its parent does not exist. */
  "write-folder-unusable": "error",
  /** The folder is not empty and was not generated by mcp-gen. */
  "write-folder-not-empty": "error",
  /** Generated files were edited since the last run. */
  "write-files-edited": "error",
  /** `--only-api` names one API, and files of others would change. */
  "write-other-apis": "error",
  /** A declaration marked `@keep` does not type-check against the generated code. */
  "write-keep-conflict": "error",
  /** A declaration marked `@keep` does not type-check, but is kept because of `--force`. */
  "write-keep-conflict-forced": "warning",
  /** The inputs of a tool marked `@keep` were changed as those of the API. Its other parts are kept. */
  "write-keep-inputs": "warning",
  /** Custom tools whose names only the running code knows. */
  "project-code-unread": "warning",
  /** A file with `@keep` declarations is no longer generated. */
  "write-keep-file-removed": "error",
  /** The package-lock.json does not match package.json. */
  "write-lockfile-outdated": "info",
  /** A dependency has a newer major version than mcp-gen generates. It is kept. */
  "write-package-untested": "info",
  /** Reported by `--check`: files contain an older version of the package. */
  "write-version-outdated": "info",
  /** A generated file would replace one that mcp-gen did not write. */
  "write-files-not-generated": "error",
  /** A link, a folder or a device is at the path of a generated file. */
  "write-not-a-file": "error",
  /** `.mcp-gen/manifest.json` or the journal is invalid. */
  "write-manifest-invalid": "error",
  /** The manifest lists files that mcp-gen cannot have generated. */
  "write-manifest-foreign": "warning",
  /** The path of a generated file is outside of the folder, or occurs twice. */
  "write-path-invalid": "error",
  /** Another run is writing to the folder. */
  "write-locked": "error",
  /** Reported by `--check` and `--dry-run`: an earlier run was interrupted while moving files. */
  "write-interrupted": "error",
  /** An interrupted run was completed first. */
  "write-recovered": "info",
  /** A system error: disk full, permission denied, I/O error. */
  "write-failed": "error",
} as const;
