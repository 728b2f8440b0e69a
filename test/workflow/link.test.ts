import { describe, expect, test } from "vitest";
import { documentOf, linkOf } from "./documents.js";

const step = (stepId: string, rest: object = {}): object => ({
  stepId,
  operationId: "getA",
  ...rest,
});
const one = (...steps: readonly object[]): object => documentOf([{ workflowId: "w", steps }]);
const output = (name: string, value: unknown = "$response.body"): object => ({
  outputs: { [name]: value },
});
const query = (value: unknown): object => ({ parameters: [{ name: "q", in: "query", value }] });

/** Errors in references, each with its location and a hint. */
test.each([
  {
    what: "an unknown operationId",
    given: one(step("a", { operationId: "getX" })),
    want: [
      /^workflow-operation #\/workflows\/0\/steps\/0\/operationId There is no operation "getX"/,
    ],
  },
  {
    what: "an operation of an unknown source",
    given: one(step("a", { operationId: "$sourceDescriptions.apy.getA" })),
    want: [/^workflow-source .*There is no source "apy"; did you mean api\?/],
  },
  {
    what: "an operationPath without a source",
    given: one(step("a", { operationId: undefined, operationPath: "/pets" })),
    want: [/^workflow-operation .*does not name the source/],
  },
  {
    what: "an operationPath to an unknown operation",
    given: one(
      step("a", {
        operationId: undefined,
        operationPath: "{$sourceDescriptions.api.url}#/paths/~1getA/post",
      }),
    ),
    want: [/^workflow-operation .*the path has GET/],
  },
  {
    what: "an operationPath after a source name",
    given: one(step("a", { operationId: undefined, operationPath: "api#/paths/~1getA/get" })),
    want: [
      /^workflow-expression-spelling #\/workflows\/0\/steps\/0\/operationPath The operation is looked up in the source "api"\./,
    ],
  },
  {
    what: "an operationPath in the only source",
    given: one(step("a", { operationId: undefined, operationPath: "#/paths/~1getA/get" })),
    want: [/^workflow-expression-spelling .*in the source "api"/],
  },
  {
    what: "an operationPath after an unknown source name",
    given: one(step("a", { operationId: undefined, operationPath: "apy#/paths/~1getA/get" })),
    want: [/^workflow-operation .*does not name the source/],
  },
  {
    what: "an index instead of a pointer",
    given: one(step("a", output("items")), step("b", query("$steps.a.outputs.items[0].id"))),
    want: [
      /^workflow-expression-spelling #\/workflows\/0\/steps\/1\/parameters\/0\/value The expression is read as "\$steps\.a\.outputs\.items#\/0\/id"\./,
    ],
  },
  {
    what: "an unknown workflow",
    given: one({ stepId: "a", workflowId: "x" }),
    want: [
      /^workflow-unknown-workflow #\/workflows\/0\/steps\/0\/workflowId There is no workflow "x"/,
    ],
  },
  {
    what: "a channel",
    given: one({ stepId: "a", channelPath: "c", action: "send" }),
    want: [/^workflow-asyncapi #\/workflows\/0\/steps\/0\/channelPath /],
  },
  {
    what: "a goto to no step",
    given: one(step("a", { onSuccess: [{ name: "x", type: "goto", stepId: "b" }] })),
    want: [
      /^workflow-step #\/workflows\/0\/steps\/0\/onSuccess\/0\/stepId The action "x" refers to the unknown step "b"/,
    ],
  },
  {
    what: "a workflow that calls itself",
    given: one({ stepId: "a", workflowId: "w" }),
    want: [/^workflow-cycle #\/workflows\/0\/steps\/0\/workflowId .*w → w/],
  },
  {
    what: "a cycle of workflows",
    given: documentOf([
      { workflowId: "a", steps: [{ stepId: "s", workflowId: "b" }] },
      { workflowId: "b", dependsOn: ["c"], steps: [step("s")] },
      {
        workflowId: "c",
        steps: [step("s", { onFailure: [{ name: "x", type: "goto", workflowId: "a" }] })],
      },
    ]),
    want: [/^workflow-cycle .*a → b → c → a/],
  },
  {
    what: "steps that depend on each other",
    given: one(step("a", { dependsOn: ["b"] }), step("b", { dependsOn: ["a"] })),
    want: [/^workflow-cycle .*a → b → a/],
  },
  {
    what: "dependsOn of an unknown step",
    given: one(step("a", { dependsOn: ["z"] })),
    want: [/^workflow-step .*There is no step "z"/],
  },
  {
    what: "an unknown step in an expression",
    given: one(step("a", query("$steps.b.outputs.x"))),
    want: [
      /^workflow-expression #\/workflows\/0\/steps\/0\/parameters\/0\/value There is no step "b"/,
    ],
  },
  {
    what: "an unknown output of a step",
    given: one(step("a", output("id")), step("b", query("$steps.a.outputs.ID"))),
    want: [/^workflow-expression .*The step "a" has no output "ID"; did you mean id\?/],
  },
  {
    what: "an output that no step declares",
    given: one(step("a", output("id")), step("b", query("$steps.a.outputs.token"))),
    want: [
      /^workflow-output #\/workflows\/0\/steps\/1\/parameters\/0\/value The step "a" has no output "token"; the value is always missing\./,
    ],
  },
  {
    what: "an unknown output of the step itself",
    given: one(step("a", query("$steps.a.outputs.token"))),
    want: [/^workflow-output .*"a" has no output "token"/],
  },
  {
    what: "an unknown output of a later step",
    given: one(step("a", query("$steps.b.outputs.token")), step("b")),
    want: [/^workflow-output /, /^workflow-expression .*"b" never runs before "a"/],
  },
  {
    what: "a misspelled expression",
    given: one(step("a", output("x", "$response.headers.Location"))),
    want: [
      /^workflow-expression-spelling #\/workflows\/0\/steps\/0\/outputs\/x The expression is read as "\$response\.header\.Location"\./,
    ],
  },
  {
    what: "a later step",
    given: one(step("a", query("$steps.b.outputs.id")), step("b", output("id"))),
    want: [/^workflow-expression .*"b" never runs before "a"/],
  },
  {
    what: "outputs of the step itself",
    given: one(step("a", { ...query("$steps.a.outputs.id"), ...output("id") })),
    want: [/^workflow-expression .*uses its own outputs before it has run/],
  },
  {
    what: "a response before the request",
    given: one(step("a", query("$response.body#/id"))),
    want: [/^workflow-expression .*has not been sent/],
  },
  {
    what: "a response in the outputs of a workflow",
    given: documentOf([{ workflowId: "w", steps: [step("a")], outputs: { x: "$response.body" } }]),
    want: [/^workflow-expression #\/workflows\/0\/outputs\/x /],
  },
  {
    what: "$outputs of an operation",
    given: one(step("a", output("x", "$outputs.y"))),
    want: [/^workflow-expression .*\$outputs is only available/],
  },
  {
    what: "an unknown output of a called workflow",
    given: documentOf([
      {
        workflowId: "w",
        steps: [{ stepId: "a", workflowId: "v", outputs: { x: "$outputs.totl" } }],
      },
      {
        workflowId: "v",
        steps: [step("s", output("z"))],
        outputs: { total: "$steps.s.outputs.z" },
      },
    ]),
    want: [
      /^workflow-omitted .* has no output "totl"; did you mean total\? The workflow is left out\./,
    ],
  },
  {
    what: "$message",
    given: one(step("a", output("x", "$message.payload"))),
    want: [/^workflow-asyncapi /],
  },
  {
    what: "a component as a value",
    given: one(step("a", query("$components.parameters.x"))),
    want: [/^workflow-expression .*whole objects/],
  },
  {
    what: "an undeclared input",
    given: one(step("a", query("$inputs.user"))),
    want: [/^workflow-input .*does not declare the input "user"/],
  },
  {
    what: "an unreachable step",
    given: one(step("a", { onSuccess: [{ name: "x", type: "end" }] }), step("b")),
    want: [/^workflow-unreachable #\/workflows\/0\/steps\/1 /],
  },
  {
    what: "steps that loop forever",
    given: one(
      step("a", { onSuccess: [{ name: "x", type: "goto", stepId: "b" }] }),
      step("b", { onSuccess: [{ name: "y", type: "goto", stepId: "a" }] }),
    ),
    want: [
      /^workflow-non-terminating #\/workflows\/0\/steps\/0 The workflow never terminates after "a", "b" unless a step fails\./,
    ],
  },
  {
    what: "a step that loops to itself forever",
    given: one(step("a"), step("b", { onSuccess: [{ name: "x", type: "goto", stepId: "b" }] })),
    want: [/^workflow-non-terminating #\/workflows\/0\/steps\/0 /],
  },
  {
    what: "a conditional goto into an endless loop",
    given: one(
      step("a", {
        onSuccess: [
          { name: "x", type: "goto", stepId: "c", criteria: [{ condition: "$statusCode == 202" }] },
        ],
      }),
      step("b", { onSuccess: [{ name: "e", type: "end" }] }),
      step("c", { onSuccess: [{ name: "x", type: "goto", stepId: "c" }] }),
    ),
    want: [
      /^workflow-non-terminating #\/workflows\/0\/steps\/2 The workflow never terminates after "c"/,
    ],
  },
  {
    what: "a step that depends on itself",
    given: one(step("a", { dependsOn: ["a"] })),
    want: [
      /^workflow-cycle #\/workflows\/0\/steps\/0\/dependsOn\/0 The step "a" depends on itself/,
    ],
  },
  {
    what: "a workflow that depends on itself",
    given: documentOf([{ workflowId: "w", dependsOn: ["w"], steps: [step("a")] }]),
    want: [/^workflow-cycle #\/workflows\/0\/dependsOn\/0 /],
  },
  {
    what: "an unknown step of another workflow in dependsOn",
    given: documentOf([
      { workflowId: "v", steps: [step("read")] },
      { workflowId: "w", steps: [step("a", { dependsOn: ["$workflows.v.steps.reads"] })] },
    ]),
    want: [
      /^workflow-omitted #\/workflows\/1\/steps\/0\/dependsOn\/0 The workflow "v" has no step "reads"; did you mean read\?/,
    ],
  },
  {
    what: "a body for a workflow",
    given: documentOf([
      { workflowId: "v", steps: [step("s")] },
      { workflowId: "w", steps: [{ stepId: "a", workflowId: "v", requestBody: { payload: 1 } }] },
    ]),
    want: [/^workflow-no-effect #\/workflows\/1\/steps\/0\/requestBody /],
  },
  {
    what: "an unknown parameter of the request",
    given: one(step("a", output("x", "$request.query.page"))),
    want: [/^workflow-output .*"a" has no query parameter "page"/],
  },
  {
    what: "an unknown field of a source",
    given: one(step("a", query("$sourceDescriptions.api.getA"))),
    want: [/^workflow-expression .*"getA" of the source "api" is not a value/],
  },
  {
    what: "an unreachable step with unavailable outputs",
    given: one(
      step("a", { ...output("id"), onSuccess: [{ name: "x", type: "end" }] }),
      step("b", query("$steps.a.outputs.id")),
    ),
    want: [/^workflow-unreachable /],
  },
  {
    what: "an operationId with different case",
    given: one(step("a", { operationId: "geta" })),
    want: [/^workflow-operation-spelling .*read as "getA"/],
  },
])("$what", ({ given, want }) => {
  const { found } = linkOf(given);
  expect(found).toEqual(want.map((pattern) => expect.stringMatching(pattern) as string));
});

describe("valid workflows", () => {
  test.each([
    {
      what: "a step that a goto leads back to",
      given: one(
        step("a", { ...query("$steps.b.outputs.id") }),
        step("b", {
          ...output("id"),
          onSuccess: [
            {
              name: "x",
              type: "goto",
              stepId: "a",
              criteria: [{ condition: "$statusCode == 202" }],
            },
          ],
        }),
      ),
    },
    {
      what: "a retry that runs a later step first",
      given: one(
        step("a", {
          ...query("$steps.b.outputs.id"),
          onFailure: [{ name: "x", type: "retry", stepId: "b" }],
        }),
        step("b", output("id")),
      ),
    },
    {
      what: "a loop that a failure leaves",
      given: one(
        step("a", {
          onSuccess: [{ name: "x", type: "goto", stepId: "a" }],
          onFailure: [
            { name: "gone", type: "end", criteria: [{ condition: "$statusCode == 404" }] },
          ],
        }),
      ),
    },
    {
      what: "a retry that names the step itself",
      given: one(step("a", { onFailure: [{ name: "x", type: "retry", stepId: "a" }] })),
    },
    {
      what: "outputs of the step in its own actions",
      given: one(
        step("a", {
          ...output("id"),
          onSuccess: [
            { name: "x", type: "end", criteria: [{ condition: "$steps.a.outputs.id != null" }] },
          ],
        }),
      ),
    },
    {
      what: "operations by every kind of reference",
      given: one(
        step("a"),
        step("b", { operationId: "$sourceDescriptions.api.getB" }),
        step("c", { operationId: "api.getB" }),
        step("d", {
          operationId: undefined,
          operationPath: "{$sourceDescriptions.api.url}#/paths/~1getA/get",
        }),
        step("e", {
          operationId: undefined,
          operationPath: "$sourceDescriptions.api#/paths/~1getA",
        }),
        step("f", {
          operationId: undefined,
          operationPath: "{$sourceDescriptions.api.url}#/paths/~1getB/additionalOperations/COPY",
        }),
      ),
    },
    {
      what: "a step of a workflow that runs first",
      given: documentOf([
        { workflowId: "v", steps: [step("s", output("id"))] },
        { workflowId: "w", steps: [step("a", query("$workflows.v.steps.s.outputs.id"))] },
      ]),
    },
  ])("$what", ({ given }) => {
    expect(linkOf(given).found).toEqual([]);
  });

  test("steps are sorted by dependsOn and expressions", () => {
    const { linking, found } = linkOf(
      one(
        step("b", query("$steps.a.outputs.id")),
        step("a", { ...output("id"), dependsOn: ["c"] }),
        step("c"),
        step("d"),
      ),
    );
    expect([found, linking?.workflows[0]?.steps.map(({ id }) => id)]).toEqual([
      [],
      ["c", "a", "b", "d"],
    ]);
  });

  test("required workflows run first, once, in order", () => {
    const { linking, found } = linkOf(
      documentOf([
        { workflowId: "w", dependsOn: ["v"], steps: [step("a", query("$workflows.u.outputs.x"))] },
        { workflowId: "v", steps: [step("s")] },
        { workflowId: "u", steps: [step("s", output("x"))], outputs: { x: "$steps.s.outputs.x" } },
      ]),
    );
    expect(found).toEqual([]);
    expect(
      linking?.workflows.map(({ workflow, prerequisites }) => [
        workflow.id,
        prerequisites.map((one_) => one_.workflow.id),
      ]),
    ).toEqual([
      ["v", []],
      ["u", []],
      ["w", ["v", "u"]],
    ]);
  });

  test("a workflow of another document", () => {
    const other = documentOf([{ workflowId: "v", steps: [step("s")] }]);
    const given = documentOf(
      [{ workflowId: "w", steps: [{ stepId: "a", workflowId: "$sourceDescriptions.more.v" }] }],
      {
        sourceDescriptions: [
          { name: "api", url: "./api.yaml" },
          { name: "more", url: "./other.yaml", type: "arazzo" },
        ],
      },
    );
    const { linking, found } = linkOf(given, { more: other });
    expect([
      found,
      linking?.workflows.map(({ workflow, isTool }) => [workflow.id, isTool]),
    ]).toEqual([
      [],
      [
        ["v", false],
        ["w", true],
      ],
    ]);
  });

  describe("results of a workflow of another document", () => {
    const sources = {
      sourceDescriptions: [
        { name: "api", url: "./api.yaml" },
        { name: "more", url: "./other.yaml", type: "arazzo" },
      ],
    };
    const more = documentOf([
      { workflowId: "v", steps: [step("s", output("x"))], outputs: { x: "$steps.s.outputs.x" } },
      { workflowId: "w", steps: [step("s", output("y"))], outputs: { y: "$steps.s.outputs.y" } },
    ]);
    const caller = (text: string, rest: object = {}): object =>
      documentOf(
        [
          {
            workflowId: "w",
            steps: [{ stepId: "a", workflowId: `$sourceDescriptions.more.${text}`, ...rest }],
          },
        ],
        sources,
      );
    test.each([
      {
        what: "that a step calls, by its own ID",
        given: caller("v", output("o", "$workflows.v.outputs.x")),
        want: [],
        order: ["v", "w"],
      },
      {
        what: "with the ID of the calling workflow",
        given: caller("w", output("o", "$workflows.w.outputs.y")),
        want: [],
        order: ["w", "w"],
      },
      {
        what: "that runs first",
        given: documentOf(
          [
            {
              workflowId: "w",
              dependsOn: ["$sourceDescriptions.more.v"],
              steps: [step("a", query("$workflows.v.outputs.x"))],
            },
          ],
          sources,
        ),
        want: [],
        order: ["v", "w"],
      },
      {
        what: "that is named by its source",
        given: documentOf(
          [
            {
              workflowId: "w",
              steps: [step("a", query("$sourceDescriptions.more.v.outputs.x#/id"))],
            },
          ],
          sources,
        ),
        want: [/^workflow-expression-spelling .*read as "\$workflows\.v\.outputs\.x"/],
        order: ["v", "w"],
      },
    ])("$what", ({ given, want, order }) => {
      const { linking, found } = linkOf(given, { more });
      expect(found).toEqual(want.map((pattern) => expect.stringMatching(pattern) as string));
      expect(linking?.workflows.map(({ workflow }) => workflow.id)).toEqual(order);
    });

    test("that never runs", () => {
      expect(linkOf(caller("v", output("o", "$workflows.u.outputs.x")), { more }).found).toEqual([
        expect.stringMatching(/^workflow-unknown-workflow .*no workflow "u"/),
      ]);
    });
  });
});

test.each<[what: string, bad: object, want: RegExp]>([
  [
    "an unknown operation",
    step("a", { operationId: "getX" }),
    /^workflow-omitted #\/workflows\/1\/steps\/0\/operationId There is no operation "getX"/,
  ],
  [
    "an invalid condition",
    step("a", { successCriteria: [{ condition: "1 ==" }] }),
    /^workflow-omitted #\/workflows\/1\/steps\/0\/successCriteria/,
  ],
])("%s costs its workflow and those that call it", (_, bad, want) => {
  const { linking, found } = linkOf(
    documentOf([
      { workflowId: "good", steps: [step("a")] },
      { workflowId: "bad", steps: [bad, step("b", { operationId: "getA" })] },
      { workflowId: "caller", steps: [{ stepId: "a", workflowId: "bad" }] },
    ]),
  );
  expect(linking?.workflows.map(({ workflow }) => workflow.id)).toEqual(["good"]);
  expect(found).toEqual([
    expect.stringMatching(want),
    expect.stringMatching(
      /^workflow-omitted #\/workflows\/2\/steps\/0\/workflowId .*The workflow is left out\.$/,
    ),
  ]);
});

/** Sizes that one call cannot run, or that do not compile. */
describe("a workflow that is too large is left out", () => {
  const list = <Item>(length: number, item: (i: number) => Item): readonly Item[] =>
    Array.from({ length }, (_, i) => item(i));
  const steps = (count: number): readonly object[] => list(count, (i) => step(`s${i}`));
  const workflow = (workflowId: string, ...own: readonly object[]): object => ({
    workflowId,
    steps: own,
  });
  const call = (stepId: string, workflowId: string): object => ({ stepId, workflowId });
  const tests = (count: number): object => ({
    successCriteria: list(count, (i) => ({ condition: `$statusCode != ${i}` })),
  });
  const retries = (count: number): object => ({
    onFailure: list(count, (i) => ({ name: `r${i}`, type: "retry", retryAfter: 1 })),
  });
  const replacements = (count: number): object => ({
    requestBody: {
      payload: "$inputs.a",
      replacements: list(count, (i) => ({ target: `/k${i}`, value: i })),
    },
  });

  test.each<readonly [string, readonly object[], string]>([
    ["100 steps", [workflow("w", ...steps(100))], ""],
    ["101 steps", [workflow("w", ...steps(101))], "has 101 steps, called workflows included"],
    [
      "the steps of called workflows",
      [workflow("w", call("a", "v"), call("b", "v")), workflow("v", ...steps(50))],
      "has 102 steps, called workflows included",
    ],
    [
      "workflows that double in size",
      list(41, (i) =>
        i === 40
          ? workflow("w40", step("a"))
          : workflow(`w${i}`, call("a", `w${i + 1}`), call("b", `w${i + 1}`)),
      ),
      "has 190 steps, called workflows included",
    ],
    [
      "a prerequisite that runs once",
      [
        { ...workflow("w", ...steps(30)), dependsOn: ["u", "v"] },
        { ...workflow("v", ...steps(20)), dependsOn: ["u"] },
        workflow("u", ...steps(50)),
      ],
      "",
    ],
    [
      "a goto to another workflow",
      [
        workflow(
          "w",
          ...steps(60),
          step("z", { onSuccess: [{ name: "g", type: "goto", workflowId: "v" }] }),
        ),
        workflow("v", ...steps(60)),
      ],
      "has 121 steps, called workflows included",
    ],
    ["300 conditions", [workflow("w", step("a", tests(300)))], ""],
    ["301 conditions", [workflow("w", step("a", tests(301)))], "301 comparisons, actions and"],
    [
      "conditions in one text",
      [
        workflow(
          "w",
          step("a", {
            successCriteria: [{ condition: list(301, (i) => `${i} > 1`).join(" && ") }],
          }),
        ),
      ],
      "301 comparisons, actions and replacements",
    ],
    ["actions", [workflow("w", step("a", retries(301)))], "301 comparisons, actions and"],
    ["replacements", [workflow("w", step("a", replacements(301)))], "301 comparisons, actions"],
    [
      "parts of several steps",
      [workflow("w", step("a", tests(200)), step("b", tests(200)))],
      "400 comparisons, actions and replacements",
    ],
  ])("%s", (_, workflows, want) => {
    const found = linkOf(documentOf([...workflows, workflow("last", step("a"))])).found.filter(
      (text) => /comparisons|called workflows included/.test(text),
    );
    if (want === "") expect(found).toEqual([]);
    else {
      expect(found[0]).toContain(want);
    }
  });
});
