import { configDefaults, defineConfig } from "vitest/config";

/**
 * Tests that try many documents or many random values, interrupt writes, install packages or run
 * whole sessions.
 */
const slow = [
  "test/bench/**/*.test.ts",
  "test/advice/corpus.test.ts",
  "test/apis/{consent,credentials,sample}.test.ts",
  "test/cli/{diff,package,prototype-names,report-page,several-apis,try,ui}.test.ts",
  "test/cli/ci/{shell,workflow}.test.ts",
  "test/conformance/messages.test.ts",
  "test/corpus/**/*.test.ts",
  "test/docs/{first-hour,shell,site}.test.ts",
  "test/e2e/{approvals,bundle,contract,custom-code,dev,keep,one-operation,runtime-contract,runtime-package,shop,story,templates}.test.ts",
  "test/e2e/{discovery,github,jobs,library,replicas,single-features,tickets,workflow-features,workflow-runs}.test.ts",
  "test/eval/{agent,api-changes,check,command,samples}.test.ts",
  "test/fuzz/**/*.test.ts",
  "test/growth/places.test.ts",
  "test/hostile/**/*.test.ts",
  "test/live/fastify.test.ts",
  "test/patterns/**/*.test.ts",
  "test/load/{deep-chains,document-stats}.test.ts",
  "test/model/{corpus,hostile}.test.ts",
  "test/plan/lint/suggestions.test.ts",
  "test/plan/plan.test.ts",
  "test/render/configuration-proposal/**/*.test.ts",
  "test/runtime/auth/{exchange,sign-in}/**/*.test.ts",
  "test/apis/sign-in.test.ts",
  "test/supply/**/*.test.ts",
  "test/workflow/{mutations,published-documents}.test.ts",
  "test/write/{background-writer,interrupt,keep}.test.ts",
];

/** Tests that install real servers and call them through generated projects. */
const live = ["test/live/*.test.ts"];

/**
 * Folders whose files share a module cache, which halves their time. A test that changes the
 * environment, the folder or a global belongs elsewhere.
 */
const shared = [
  "test/{configuration,diagnostics,diff,load,mock,model,overlay,plan,render,workflow,workflow-sources}/**/*.test.ts",
  "test/runtime/{call,data,discovery,errors,files,pagination,request,response,schema,tools}/**/*.test.ts",
  "test/{language,project-code,responses}/**/*.test.ts",
  "test/{json,json-pointer,source-parts}.test.ts",
  "test/runtime/workflow/**/*.test.ts",
];

/** Single files of that kind, in folders with others. */
const sharedFiles = [
  "test/e2e/{configured-actions,configured-fields,configured-inputs,find,merged,no-credentials}.test.ts",
  "test/e2e/{round-trip,text-inputs,undocumented-inputs,unstated-security,wire,writes}.test.ts",
  "test/e2e/{updates-and-empty-bodies,workflow-configuration,workflow-credentials,workflow-spellings}.test.ts",
  "test/eval/{draft,judge,match-value,mock-state,record,scores,step-calls,transcript}.test.ts",
  "test/runtime/approvals/{code,dry-run,empty-body,matrix,questions,sessions}.test.ts",
  "test/runtime/client/{admission,circuit-breaker,durations,fair-queue,rate-limiter,requests}.test.ts",
  "test/runtime/protocol/{adapt-to-revision,consent,internal-error,payment}.test.ts",
  "test/runtime/server/{env-file,missing-settings,settings}.test.ts",
  "test/runtime/transport/http/{caller-identity,guard,http-settings,tool-scopes,trusted-proxies,visible}.test.ts",
  "test/structure/{documents,mock-names,runtime-modules,source-declarations,workflow}.test.ts",
  "test/try/{join-modules,strip-types}.test.ts",
  "test/write/{adapt-inputs,lock,merge,output-state}.test.ts",
];

/** Slow tests of that kind. */
const sharedSlow = ["test/eval/{agent,api-changes,check}.test.ts"];

/** Another checkout whose sources are tested: `npm run fuzz -- --checkout FOLDER`. */
const { SOURCES_OF: checkout } = process.env;
const alias = checkout ? [{ find: /^(\.\.\/)+src\//, replacement: `${checkout}/src/` }] : [];

/**
 * `npm test` runs what a contributor runs after every change, `npm run test:slow` the rest, and
 * `npm run test:all` both. `npm run test:live` installs real servers and calls them. `--mode all`
 * selects single files of any kind.
 */
export default defineConfig(({ mode }) => {
  const include = mode === "slow" ? slow : mode === "live" ? live : ["test/**/*.test.ts"];
  const exclude = [...configDefaults.exclude, ...(mode === "test" ? [...slow, ...live] : [])];
  const sharing = mode === "slow" ? sharedSlow : mode === "live" ? [] : [...shared, ...sharedFiles];
  // A project's own number would win over the mode's and over --maxWorkers, so it has none.
  const common = { maxWorkers: 0 };
  const projects = [
    { ...common, name: "shared", include: sharing, exclude, isolate: false },
    { ...common, name: "isolated", include, exclude: [...exclude, ...sharing] },
  ];
  return {
    resolve: { alias },
    test: {
      projects: projects
        .filter((project) => project.include.length > 0)
        .map((project) => ({ extends: true as const, test: project })),
      reporters: ["default", "./test/live/reporter.ts"],
      pool: "forks",
      // A fifth of the slow tests' time is waiting for servers and timeouts.
      maxWorkers: mode === "slow" ? 3 : 2,
      // Generous, because tests that start processes share two cores. A hanging test still ends.
      testTimeout: 180_000,
      hookTimeout: 240_000,
      // A polled state is reached at once on a quiet machine, and within seconds on a busy one.
      expect: { poll: { timeout: 20_000 } },
      teardownTimeout: 5_000,
      // Colors, the home folder and the time zone do not depend on the machine.
      env: { NO_COLOR: "1", TZ: "UTC" },
    },
  };
});
