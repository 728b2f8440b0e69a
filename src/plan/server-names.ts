/** Names of a server: its npm package and its environment variables. */
import { shortHash } from "./names/format-name.js";
import { splitWords } from "../language/words.js";
import { removeComments } from "./text/markdown.js";
import type { EnvironmentVariable } from "./types.js";

const SUFFIX = "-mcp-server";
const MAX_BASE = 100 - SUFFIX.length;
/** Words of a title that do not distinguish an API: `Petstore REST API - OpenAPI 3.0`. */
const GENERIC_WORDS = new Set(
  (
    "api apis rest restful http openapi swagger specification spec the documentation docs " +
    "endpoint endpoints reference public service web"
  ).split(" "),
);

/**
 * Words of a title that name the API: `GitHub v3 REST API` → github. All words if there are no
 * others.
 */
export function titleWords(title: string): readonly string[] {
  // "RESTful" is one word in spite of its capitals.
  const words = splitWords(removeComments(title).slice(0, 200).replaceAll("RESTful", "restful"));
  const specific = words.filter((word) => !GENERIC_WORDS.has(word) && !/^v?\d+$/.test(word));
  return specific.length > 0 ? specific : words;
}

/** Further words of titles that frameworks set where their users set none. */
const DEFAULT_TITLE_WORDS = new Set(
  "fastapi my definition untitled sample example default title new application app".split(" "),
);

/** Tests for a title that does not name the API: `FastAPI`, `OpenAPI definition`, `My API`. */
export function isDefaultTitle(title: string): boolean {
  const words = splitWords(removeComments(title).slice(0, 200).toLowerCase());
  const isGeneric = (word: string): boolean =>
    GENERIC_WORDS.has(word) || DEFAULT_TITLE_WORDS.has(word) || /^v?\d+$/.test(word);
  return words.length > 0 && words.every(isGeneric);
}

/** Legal npm name for an API: `clinic-mcp-server`. */
export function derivePackageName(words: readonly string[]): string {
  const base = words
    .filter((word) => word !== "mcp" && word !== "server")
    .join("-")
    .slice(0, MAX_BASE)
    .replace(/(?<!-)-+$/, "");
  return base === "" ? "api-mcp-server" : `${base}${SUFFIX}`;
}

/**
 * Tests whether npm accepts a name for a new package.
 * https://docs.npmjs.com/cli/configuring-npm/package-json#name
 */
export function isValidPackageName(name: string): boolean {
  return (
    name.length <= 214 &&
    /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/.test(name) &&
    !["node_modules", "favicon.ico"].includes(name)
  );
}

/**
 * First words of variables that systems and well-known programs read: `NODE_OPTIONS`, `HTTP_PROXY`,
 * `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `DATABASE_URL`. They may be set for something else.
 */
const PROGRAM_WORDS = new Set(
  // Systems, shells and networks.
  (
    "PATH HOME HTTP HTTPS FTP NO ALL PORT HOST TZ LANG LC USER SHELL TMPDIR TEMP TMP DEBUG LOG MCP " +
    "OTEL SSL SSH XDG BASH ENV WINDIR SYSTEMROOT COMSPEC APPDATA PWD TERM DISPLAY EDITOR FORCE " +
    "COLORTERM PROGRAMFILES PATHEXT OS LD DYLD GPG GNUPG SUDO SYSTEMD DBUS KRB5 LDAP SMTP MAIL SECRET " +
    // Runtimes, package managers and build tools.
    "NODE NPM NODE_ENV UV V8 YARN PNPM BUN DENO PYTHON PIP TWINE POETRY CONDA JAVA MAVEN GRADLE GO " +
    "CARGO RUST RUBY GEM BUNDLE RAILS DJANGO FLASK NUGET DOTNET COMPOSER PHP PERL CI " +
    // Source code and CI.
    "GIT GITHUB GH GITLAB BITBUCKET GITEA CIRCLE CIRCLECI TRAVIS JENKINS BUILDKITE DRONE CODECOV SONAR " +
    "SNYK SENTRY " +
    // Containers and infrastructure.
    "DOCKER COMPOSE REGISTRY KUBE KUBERNETES KUBECONFIG K8S HELM TF TERRAFORM PULUMI VAULT CONSUL NOMAD " +
    "ANSIBLE AWS AMAZON AZURE ARM GOOGLE GCP GCLOUD CLOUDSDK FIREBASE CLOUDFLARE CF WRANGLER HEROKU VERCEL " +
    "NETLIFY FLY RAILWAY DIGITALOCEAN LINODE HCLOUD OCI SUPABASE FASTLY " +
    // Databases and queues.
    "DATABASE DB SQL PG PGSQL POSTGRES POSTGRESQL MYSQL MARIADB MONGO MONGODB REDIS SQLITE ORACLE " +
    "ELASTIC ELASTICSEARCH KAFKA AMQP RABBITMQ CLICKHOUSE SNOWFLAKE S3 MINIO " +
    // Services whose own programs read their variables.
    "OPENAI ANTHROPIC CLAUDE GEMINI MISTRAL COHERE GROQ HF HUGGINGFACE HUGGING REPLICATE SLACK DISCORD " +
    "TELEGRAM STRIPE TWILIO SENDGRID MAILGUN DATADOG DD GRAFANA JIRA ATLASSIAN LINEAR NOTION OKTA AUTH0"
  ).split(" "),
);
/** Names whose variables applications set for themselves, such as `JWT_SECRET` and `API_KEY`. */
const APPLICATION_NAMES = new Set(
  (
    "API APP APPLICATION ACCESS ACCOUNT ADMIN AUTH BEARER CLIENT COOKIE CSRF ENCRYPTION JWT LOGIN " +
    "PRIVATE PROXY PUBLIC REFRESH SERVER SERVICE SESSION SIGNING TOKEN WEB WEBHOOK"
  ).split(" "),
);
/**
 * Variables of the runtime, without the prefix. Schemes, server variables and parameters get other
 * names.
 */
export const RUNTIME_VARIABLES = new Set(
  (
    "TIMEOUT_MS MAX_CONCURRENCY MAX_QUEUE CALLS_PER_MINUTE MAX_RESPONSE_BYTES " +
    "MAX_CONCURRENCY_PER_CALLER CALLS_PER_MINUTE_PER_CALLER CALLER_HEADER TRUSTED_PROXIES " +
    "SHUTDOWN_GRACE_MS STORE STORE_KEY READY_NEEDS_STORE LOG_CALLERS METRICS_PORT METRICS_HOST " +
    "MAX_RESULT_TOKENS HTTP_TOKEN HTTP_PUBLIC_URL HTTP_OAUTH_ISSUER HTTP_OAUTH_AUDIENCE " +
    "HTTP_OAUTH_SCOPES HTTP_OAUTH_TOOL_SCOPES HTTP_OAUTH_JWKS_URL HTTP_OAUTH_ALGORITHMS " +
    "HTTP_SIGN_IN_CLIENT_ID HTTP_SIGN_IN_CLIENT_SECRET FILES_DIR ALLOWED_HOSTS " +
    "ALLOWED_ORIGINS ALLOW_UNAUTHENTICATED FORWARD_HEADERS KEPT_RESULT_BYTES TOOLSETS " +
    "READ_ONLY DRY_RUN APPROVALS MODE AUTH RAW_REQUESTS RUN_STEPS READ_BACK JOB_WAIT FOLLOW_PAGES " +
    "MAX_RETRY_WAIT_MS STRICT_INPUTS LOOK_UP_NAMES READ_RESULTS LISTED ENV_FILE TOKEN_EXCHANGE " +
    "LOGIN_COMMAND ANNOUNCE TOKEN_EXCHANGE_URL TOKEN_EXCHANGE_CLIENT_ID TOKEN_EXCHANGE_CLIENT_SECRET"
  ).split(" "),
);
const MAX_PREFIX = 24;

/** Suffix of a prefix that systems or other programs use. No known program reads such names. */
const PREFIX_SUFFIX = "_MCP";

/** Tests whether variables with a prefix may be set for another program. */
export function isProgramPrefix(name: string): boolean {
  const plain = name.endsWith(PREFIX_SUFFIX) ? name.slice(0, -PREFIX_SUFFIX.length) : name;
  return PROGRAM_WORDS.has(plain.split("_", 1)[0] as string) || APPLICATION_NAMES.has(plain);
}

/**
 * Prefix of all environment variables, from the namespace or else the title. A prefix that systems
 * or other programs use gets a suffix: a document must not choose whose secret is read.
 */
export function environmentPrefix(title: string, namespace: string | undefined): string {
  const words = namespace === undefined ? titleWords(title) : splitWords(namespace);
  const name = joinWithinLimit(words.map((word) => word.toUpperCase()));
  if (name === "") return `API${PREFIX_SUFFIX}`;
  if (/^\d/.test(name)) return `API_${name}`;
  return isProgramPrefix(name) ? `${name}${PREFIX_SUFFIX}` : name;
}

function joinWithinLimit(words: readonly string[]): string {
  let name = "";
  for (const word of words) {
    if (name !== "" && name.length + word.length + 1 > MAX_PREFIX) break;
    name += (name === "" ? "" : "_") + word.slice(0, MAX_PREFIX);
  }
  return name;
}

/** The server that an API is a part of: its prefix, and the names of variables in use. */
interface SurroundingServer {
  readonly prefix: string;
  readonly taken: ReadonlySet<string>;
}

/** Assigns the environment variables of one API, each name once in its server. */
export class Environment {
  private readonly variables = new Map<string, EnvironmentVariable>();

  constructor(
    private readonly prefix: string,
    private readonly server: SurroundingServer = { prefix, taken: new Set() },
  ) {}

  /**
   * Adds a variable under the first free name. Names are written without the prefix.
   * @returns its full name
   */
  add(names: readonly string[], variable: Omit<EnvironmentVariable, "name">): string {
    const fullNames = names.map((name) => this.full(name));
    const name =
      fullNames.find((candidate) => this.isFree(candidate)) ??
      this.numbered(fullNames.at(-1) as string);
    this.variables.set(name, { name, ...variable });
    return name;
  }

  /** Adds a variable under its full name, unless there is one. */
  addNamed(variable: EnvironmentVariable): void {
    if (!this.variables.has(variable.name)) this.variables.set(variable.name, variable);
  }

  get list(): readonly EnvironmentVariable[] {
    return [...this.variables.values()];
  }

  private full(name: string): string {
    const text = splitWords(name).join("_").toUpperCase() || shortHash(name).toUpperCase();
    return `${this.prefix}_${text.slice(0, 60)}`;
  }

  private isFree(name: string): boolean {
    const isRuntime = [this.prefix, this.server.prefix].some((prefix) =>
      RUNTIME_VARIABLES.has(name.slice(prefix.length + 1)),
    );
    return !isRuntime && !this.variables.has(name) && !this.server.taken.has(name);
  }

  private numbered(name: string): string {
    for (let n = 2; ; n++) if (this.isFree(`${name}_${n}`)) return `${name}_${n}`;
  }
}
