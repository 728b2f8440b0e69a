import type { RealResponse, ResponseRow } from "../row.js";
import { anything, endpoint, integer, json, list, object, text, type Schema } from "../snippets.js";

/** Inputs outside of the path: a text, a number, an object or a list of texts. */
const schemaOf = (value: unknown): Schema => {
  if (typeof value === "number") return integer;
  if (Array.isArray(value)) return list(text);
  return typeof value === "object" ? anything : text;
};

const failure = (
  name: string,
  line: string,
  input: Readonly<Record<string, unknown>>,
  response: RealResponse,
  more: Partial<ResponseRow> = {},
): ResponseRow => {
  const others = Object.entries(input).filter(([key]) => !line.includes(`{${key}}`));
  const fields = Object.fromEntries(others.map(([key, value]) => [key, schemaOf(value)]));
  const hasBody = /^P/.test(line) && others.length > 0;
  return {
    name,
    endpoint: endpoint(
      line,
      { 200: json(object({ id: text })) },
      hasBody ? { body: object(fields) } : { query: fields },
    ),
    input,
    response,
    fails: true,
    ...more,
  };
};

const missingIndex = {
  type: "index_not_found_exception",
  reason: "no such index [logs]",
  "resource.type": "index_or_alias",
  "resource.id": "logs",
  index: "logs",
};

const noBucket =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchBucket</Code><Message>The specified ' +
  "bucket does not exist</Message><BucketName>nope</BucketName><RequestId>17B2F</RequestId></Error>";

/** An error in the envelope of LXD, whose `status_code` says nothing. */
const lxdError = (code: number, error: string): object => ({
  type: "error",
  status: "",
  status_code: 0,
  operation: "",
  error_code: code,
  error,
  metadata: null,
});

/** An error of Platformatic DB, with the message and the code of PostgreSQL. */
const databaseError = (code: string, message: string): object => ({
  statusCode: 500,
  code,
  error: "Internal Server Error",
  message,
});

/** An error in the envelope of Google, which the emulator of Firebase Auth also sends. */
const googleError = (code: number, message: string, reason: string): object => ({
  error: { code, message, errors: [{ message, reason, domain: "global" }] },
});

const ok = { 200: json(object({ id: text })) };

/** The last line of a stack trace has the cause. */
const pythonTrace = [
  "Traceback (most recent call last):",
  ...Array.from({ length: 6 }, (_, i) => `  File "/app/web.py", line ${i}, in _execute`),
  "    result = await method(*self.path_args, **self.path_kwargs)",
  '    copy_from = model.get("copy_from")',
  "AttributeError: 'NoneType' object has no attribute 'get'",
].join("\n");

const lacksPermission = [/lack permission/];

/** Errors that have more than a message. */
export const errors: readonly ResponseRow[] = [
  failure(
    "RFC 9457: members of the API's own",
    "POST /transfer",
    { amount: 50 },
    {
      status: 403,
      body: {
        type: "https://example.com/probs/out-of-credit",
        title: "You do not have enough credit.",
        detail: "Your current balance is 30, but that costs 50.",
        instance: "/account/12345/msgs/abc",
        balance: 30,
        accounts: ["/account/12345", "/account/67890"],
      },
    },
    { never: lacksPermission },
  ),
  failure(
    "WebDAV: who has locked it",
    "PUT /docs/{id}",
    { id: "1", title: "x" },
    { status: 423, body: { message: "Locked", lockedBy: "ann", until: "2026-05-01" } },
  ),
  failure(
    "a conflict with the thing that exists",
    "POST /users",
    { name: "x" },
    { status: 409, body: { error: "duplicate", existing: { id: "u-9", name: "x" } } },
  ),
  failure(
    "Elasticsearch: an index",
    "GET /{index}/_search",
    { index: "logs", q: "a" },
    {
      status: 404,
      body: { error: { root_cause: [missingIndex], ...missingIndex }, status: 404 },
    },
  ),
  failure(
    "Elasticsearch: the cause of an error",
    "POST /{index}/_search",
    { index: "logs", query: { matchh: {} } },
    {
      status: 400,
      body: {
        error: {
          type: "parsing_exception",
          reason: "unknown query [matchh] did you mean any of [match, matches]?",
          line: 1,
          col: 20,
          caused_by: { type: "named_object_not_found_exception", reason: "[1:20] unknown field" },
        },
        status: 400,
      },
    },
  ),
  failure(
    "Kubernetes: the token of the rest of a list",
    "GET /api/v1/pods",
    { continue: "abc" },
    {
      status: 410,
      body: {
        kind: "Status",
        status: "Failure",
        message: "You can start a new list, or use the continue token in this response.",
        reason: "Expired",
        code: 410,
        metadata: { continue: "xyz123" },
      },
    },
  ),
  failure(
    "Kubernetes: facts of an error that are no errors of inputs",
    "PUT /apis/batch/v1/jobs/{name}",
    { name: "nightly", spec: { a: 1 } },
    {
      status: 422,
      body: {
        kind: "Status",
        message: 'Job "nightly" is invalid: spec.template: field is immutable',
        reason: "Invalid",
        details: { name: "nightly", kind: "Job" },
        code: 422,
      },
    },
    { never: [/correct name/] },
  ),
  failure(
    "PostgREST: a hint",
    "GET /itms",
    {},
    {
      status: 404,
      body: {
        code: "PGRST205",
        details: null,
        hint: "Perhaps you meant the table 'public.items'",
        message: "Could not find the table 'public.itms' in the schema cache",
      },
    },
  ),
  failure(
    "MinIO Console: the detailed message",
    "POST /buckets",
    { name: "a" },
    {
      status: 400,
      body: {
        code: 400,
        message: "invalid request",
        detailedMessage: "Bucket name cannot be shorter than 3 characters",
      },
    },
  ),
  failure(
    "MinIO: XML with the bucket",
    "GET /{bucket}",
    { bucket: "nope" },
    { status: 404, type: "application/xml", body: noBucket },
    { says: ["The specified bucket does not exist", "NoSuchBucket", "17B2F"] },
  ),
  failure(
    "Stripe: why a card is declined",
    "POST /charges",
    { amount: 5 },
    {
      status: 402,
      body: {
        error: {
          charge: "ch_1",
          code: "card_declined",
          decline_code: "insufficient_funds",
          doc_url: "https://stripe.com/docs/error-codes/card-declined",
          message: "Your card has insufficient funds.",
          type: "card_error",
        },
      },
    },
  ),
  failure(
    "Strapi: the value that is taken",
    "POST /api/articles",
    { data: { slug: "hello-world" } },
    {
      status: 400,
      body: {
        data: null,
        error: {
          status: 400,
          name: "ValidationError",
          message: "2 errors occurred",
          details: {
            errors: [
              { path: ["title"], message: "title must be defined.", name: "ValidationError" },
              {
                path: ["slug"],
                message: "slug must be unique",
                name: "ValidationError",
                value: "hello-world",
              },
            ],
          },
        },
      },
    },
  ),
  failure(
    "FastAPI: the limit of a value",
    "POST /items",
    { name: "a", age: 3 },
    {
      status: 422,
      body: {
        detail: [
          {
            type: "greater_than_equal",
            loc: ["body", "age"],
            msg: "Input should be greater than or equal to 18",
            input: 3,
            ctx: { ge: 18 },
          },
        ],
      },
    },
    { says: ["age", "greater_than_equal"], partial: true },
  ),
  failure(
    "GitLab: the scopes that a token needs",
    "GET /user",
    {},
    {
      status: 403,
      body: {
        error: "insufficient_scope",
        error_description: "The request requires higher privileges.",
        scope: "api read_api",
      },
    },
  ),
  failure(
    "Hasura: where a query is wrong",
    "POST /v1/graphql",
    { query: "{ a }" },
    {
      status: 200,
      body: {
        errors: [
          {
            message: "field 'a' not found in type: 'query_root'",
            extensions: { path: "$.selectionSet.a", code: "validation-failed" },
          },
        ],
      },
    },
  ),
  failure(
    "Influx: the line of a write",
    "POST /api/v2/write",
    { bucket: "b" },
    {
      status: 400,
      body: { code: "invalid", message: "unable to parse 'x'", line: 3, op: "write" },
    },
  ),
  failure(
    "Mattermost: the ID of an error",
    "POST /api/v4/channels",
    { name: "A!" },
    {
      status: 400,
      body: {
        id: "model.channel.is_valid.1_or_more.app_error",
        message: "Name must be 1 or more lowercase alphanumeric characters.",
        detailed_error: "id=abc",
        request_id: "r1",
        status_code: 400,
      },
    },
  ),
  failure(
    "Temporal: the run that goes on",
    "POST /namespaces/{namespace}/workflows/{workflow_id}",
    { namespace: "d", workflow_id: "w", queue: "q" },
    {
      status: 409,
      body: {
        code: 6,
        message: "Workflow execution already started",
        details: [{ "@type": "AlreadyStartedFailure", runId: "run-77" }],
      },
    },
  ),
  failure(
    "Zulip: seconds to wait in the body",
    "GET /api/v1/users",
    {},
    {
      status: 429,
      body: { "retry-after": 28.7, code: "RATE_LIMIT_HIT", msg: "API usage exceeded rate limit" },
    },
    { says: [/wait 29 s/], never: [/wait a minute/], requests: 3 },
  ),
  failure(
    "Prometheus: an interface that is switched off",
    "GET /api/v1/admin/tsdb",
    {},
    {
      status: 403,
      body: { status: "error", errorType: "unavailable", error: "admin APIs disabled" },
    },
    { never: lacksPermission },
  ),
  failure(
    "405 with the methods that are allowed",
    "PUT /report/{id}",
    { id: "1", a: "b" },
    { status: 405, headers: { allow: "GET, DELETE" } },
    { says: ["GET, DELETE"] },
  ),
  failure(
    "Spring: 415 with the types that are supported",
    "POST /report",
    { a: "1" },
    {
      status: 415,
      headers: { accept: "application/xml" },
      body: { message: "Content type 'application/json' not supported" },
    },
    { says: ["application/xml"] },
  ),
  failure(
    "Jenkins: an error in a header",
    "POST /createItem",
    { name: "a" },
    {
      status: 400,
      type: "text/html",
      headers: { "x-error": "A job already exists with the name 'a'" },
      body: "<html><body><h1>Oops!</h1><p>A problem occurred</p></body></html>",
    },
    { says: ["A job already exists with the name 'a'", "A problem occurred"] },
  ),
  failure(
    "406 is about the format of the response",
    "GET /report/{id}",
    { id: "1" },
    { status: 406, body: { message: "Not Acceptable" } },
    { says: [/cannot respond in a format/], never: [/format of this request/] },
  ),
  failure(
    "500 of a write about an input, whose effect is open",
    "POST /folders",
    { parent: "x" },
    { status: 500, body: { error: "parent must be a number" } },
    { says: [/may or may not have taken effect/] },
  ),
  failure(
    "CouchDB: a document that was deleted",
    "GET /{db}/{docid}",
    { db: "d", docid: "1" },
    { status: 404, body: { error: "not_found", reason: "deleted" } },
  ),
  failure(
    "Keycloak: the parameters of a message",
    "POST /admin/realms/{realm}/users",
    { realm: "m", email: "x" },
    {
      status: 400,
      body: { field: "email", errorMessage: "error-invalid-email", params: ["email", "x"] },
    },
  ),
  failure(
    "Grafana: the ID of an access error",
    "GET /admin/stats",
    {},
    {
      status: 403,
      body: {
        accessErrorId: "ACE6239023416",
        message: "You'll need additional permissions. Permissions needed: server.stats:read",
        title: "Access denied",
      },
    },
  ),
  failure(
    "opencode: a message inside of data, beside the name of the error",
    "POST /vcs/apply",
    { patch: "garbage" },
    {
      status: 400,
      body: {
        name: "VcsApplyError",
        data: { message: "Patch can't be applied", reason: "not-clean" },
      },
    },
    { says: [/The API says: "[^{"]*Patch can't be applied/, "VcsApplyError", "not-clean"] },
  ),
  failure(
    "LXD: an input that is unknown, as 500",
    "POST /1.0/storage-pools",
    { driver: "nope", description: "Fast" },
    { status: 500, body: lxdError(500, "Unknown driver") },
    {
      says: [/whether it took effect. If not, correct driver, then call/, /may or may not/],
      never: [/API's side/, /status_code/],
    },
  ),
  failure(
    "LXD: the image that a new alias stands for",
    "POST /1.0/images/aliases",
    { name: "a", target: "abc" },
    { status: 404, body: lxdError(404, "Image not found") },
    { never: [/nothing with name/] },
  ),
  failure(
    "LXD: a snapshot of an instance",
    "GET /1.0/instances/{name}/snapshots/{snapshot}",
    { name: "c2", snapshot: "s9" },
    { status: 404, body: lxdError(404, 'Failed to fetch snapshot "s9" of instance "c2"') },
    { says: [/nothing with snapshot "s9"/], never: [/nothing with name|valid name/] },
  ),
  failure(
    "LXD: a thing that exists, as 500",
    "POST /1.0/profiles",
    { name: "web" },
    {
      status: 500,
      body: lxdError(500, 'Error inserting "web" into database: The profile already exists'),
    },
    { says: [/refuses this for the reason that it gives/], never: [/may or may not/] },
  ),
  failure(
    "Jupyter Server: a stack trace",
    "POST /api/contents/{path}",
    { path: "nodir", type: "file" },
    { status: 500, body: { message: "Unhandled error", reason: null, traceback: pythonTrace } },
    {
      partial: true,
      says: ["Unhandled error", "Traceback", /'NoneType' object has no attribute 'get'/, "more"],
    },
  ),
  failure(
    "Platformatic DB: a value that a check forbids, as 500",
    "POST /books",
    { title: "T4", pages: -1 },
    {
      status: 500,
      body: databaseError(
        "23514",
        'new row for relation "books" violates check constraint "books_pages_check"',
      ),
    },
    { says: [/may or may not/, /same input fails again/], never: [/API's side/] },
  ),
  failure(
    "Platformatic DB: a value that is absent, as 500",
    "POST /labels",
    { label: "x" },
    {
      status: 500,
      body: databaseError(
        "23502",
        'null value in column "book_id" of relation "labels" violates not-null constraint',
      ),
    },
    { says: [/same input fails again/], never: [/API's side/] },
  ),
  failure(
    "Platformatic DB: a row that others refer to, as 500",
    "DELETE /authors/{id}",
    { id: "1" },
    {
      status: 500,
      body: databaseError(
        "23503",
        'update or delete on table "authors" violates foreign key constraint "books_author_id_fkey" on table "books"',
      ),
    },
    {
      says: [/refuses this for the reason that it gives/],
      never: [/API's side/, /may or may not/],
    },
  ),
  failure(
    "MariaDB: a row that others refer to, as 500",
    "DELETE /authors/{id}",
    { id: "1" },
    {
      status: 500,
      body: { message: "Cannot delete or update a parent row: a foreign key constraint fails" },
    },
    { never: [/API's side/, /may or may not/] },
  ),
  failure(
    "Orthanc: the reason beside a message that only names the status",
    "GET /patients",
    { limit: 2 },
    {
      status: 400,
      body: {
        ...{ Details: 'Missing "since" argument for GET request', HttpStatus: 400 },
        ...{ Message: "Bad request", OrthancError: "Bad request", OrthancStatus: 8 },
      },
    },
    {
      endpoint: endpoint("GET /patients", ok, { query: { limit: integer, since: integer } }),
      says: [/The API says: .*since/, /Next: .*since/],
      never: [/gives no reason/],
    },
  ),
  failure(
    "Orthanc: a GET without a body, whose item has no such format",
    "GET /instances/{id}/preview",
    { id: "41" },
    { status: 415 },
    { never: [/format of this request/] },
  ),
  failure(
    "CrowdSec: an unknown ID as 500",
    "DELETE /decisions/{decision_id}",
    { decision_id: "99999" },
    { status: 500, body: { message: "decision with id '99999' doesn't exist: unable to delete" } },
    { says: ["finds nothing with decision_id"], never: [/taken effect/] },
  ),
  failure(
    "CrowdSec: an ID of another type",
    "DELETE /decisions/{decision_id}",
    { decision_id: "abc" },
    { status: 400, body: { message: "decision_id must be valid integer" } },
    { says: [/correct .* again/], never: [/while that is so/] },
  ),
  failure(
    "CrowdSec: a value that is no duration, as 500",
    "GET /alerts",
    { since: "2026-11-29T00:00:00Z" },
    {
      status: 500,
      body: {
        message:
          'while parsing duration: time: unknown unit "-" in duration "2026-11-29T00:00:00Z"',
      },
    },
    { says: [/correct since/], never: [/pass by itself/] },
  ),
  failure(
    "CrowdSec: a sign-in that waits for an approval",
    "POST /watchers/login",
    { machine_id: "m2", password: "pw2pw2" },
    { status: 401, body: { code: 401, message: "machine m2 not validated" } },
    { says: [/for the reason that it gives/], never: [/[Cc]orrect machine_id/] },
  ),
  ...(
    [
      ["MISSING_LOCAL_ID", { name: "Ann" }, /localId/],
      ["INVALID_EMAIL", { email: "x" }, /correct email/],
      ["EMAIL_NOT_FOUND", { email: "nobody@example.org" }, /finds nothing with email/],
      ["INVALID_OOB_CODE", { oobCode: "zz" }, /correct oobCode/],
    ] as const
  ).map(([code, input, says]) =>
    failure(
      `Firebase Auth: the code ${code} in place of a message`,
      "POST /accounts:update",
      input,
      { status: 400, body: googleError(400, code, "invalid") },
      {
        endpoint: endpoint("POST /accounts:update", ok, {
          body: object({ localId: text, email: text, name: text, oobCode: text }),
        }),
        says: [says],
        never: [/while that is so/],
      },
    ),
  ),
  failure(
    "Firebase Auth: one input is not implemented",
    "POST /accounts:query",
    { limit: "2" },
    { status: 501, body: googleError(501, "limit is not implemented.", "unimplemented") },
    { says: [/without it/], never: [/this operation/] },
  ),
];
