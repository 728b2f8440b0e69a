import Handlebars from "handlebars";
import { describe, expect, test } from "vitest";
import { checkTemplate, TemplateError } from "../../../src/render/templates/check.js";
import type { Shape } from "../../../src/render/views/shapes.js";

const shape: Shape = {
  title: "text",
  secret: "flag",
  tools: [{ name: "text", inputs: [{ name: "text" }] }],
  hosts: { vscode: "text" },
};
const partials: Readonly<Record<string, string>> = {
  title: "# {{title}}",
  tool: "- {{name}}",
  broken: "\n {{titel}}",
  loop: "{{> loop}}",
  host: "{{vscode}} of {{@root.title}}",
  outer: "{{../title}}",
  row: "{{name}}: {{label}}",
  deep: "{{#each inputs}}{{nam}}{{/each}}",
};

function problemOf(text: string): string | undefined {
  const partial = (name: string) =>
    Object.hasOwn(partials, name)
      ? { file: `partials/${name}.hbs`, text: partials[name]! }
      : undefined;
  try {
    checkTemplate({ file: "x.hbs", text }, shape, {
      partials: partial,
      partialNames: Object.keys(partials),
      parse: (source) => Handlebars.parse(source),
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return error.message;
  }
}

test.each([
  "",
  "plain text",
  "{{title}} {{{title}}} {{hosts.vscode}}",
  "{{! a comment }}{{!-- {{titel}} --}}",
  "{{#if secret}}{{title}}{{else}}none{{/if}}",
  "{{#if tools}}{{#each tools}}{{name}}{{#if name}}{{../title}}{{/if}}{{/each}}{{/if}}",
  "{{#each tools}}{{#each inputs}}{{name}} of {{../name}} of {{../../title}}{{/each}}{{else}}none{{/each}}",
  "{{#each tools}}{{this.name}}{{/each}}",
  "{{> title}}{{#each tools}}{{> tool}}{{/each}}",
  "{{#each tools}}{{@index}}{{#if @first}}{{name}}{{/if}}{{#if @last}}{{@root.title}}{{@root.hosts.vscode}}{{/if}}{{/each}}",
  "{{#each tools}}{{#if secretly}}{{/if}}{{/each}}".replace("secretly", "@first"),
  "{{> host hosts}}{{#each tools}}{{> tool this}}{{> title ..}}{{#each inputs}}{{> row label=../name}}{{> row this label='x'}}{{/each}}{{/each}}",
  "{{#if secret}}a{{else if tools}}b{{else}}c{{/if}}",
])("%j is well", (text) => {
  expect(problemOf(text)).toBeUndefined();
});

describe("mistakes", () => {
  test.each<readonly [given: string, want: string]>([
    [
      "{{titel}}",
      "x.hbs:1:3: unknown field titel; did you mean title? There are title, secret, tools, hosts",
    ],
    ["a\n  {{hosts.cursor}}", "x.hbs:2:5: unknown field hosts.cursor; there is vscode"],
    [
      "{{#each tools}}\n{{nam}}{{/each}}",
      "x.hbs:2:3: unknown field nam; did you mean name? There are name, inputs",
    ],
    [
      "{{#each tools}}{{title}}{{/each}}",
      "x.hbs:1:18: unknown field title; did you mean ../title? Here there are name, inputs",
    ],
    [
      "{{#each tool}}{{/each}}",
      "x.hbs:1:9: unknown field tool; did you mean tools? There are title, secret, tools, hosts",
    ],
    [
      "{{#if titel}}{{/if}}",
      "x.hbs:1:7: unknown field titel; did you mean title? There are title, secret, tools, hosts",
    ],
    [
      "{{#if secret}}{{else}}{{titel}}{{/if}}",
      "x.hbs:1:25: unknown field titel; did you mean title? There are title, secret, tools, hosts",
    ],
    ["{{#each title}}{{/each}}", "x.hbs:1:9: title is not a list"],
    ["{{tools}}", "x.hbs:1:1: tools is not text and cannot be printed"],
    ["{{secret}}", "x.hbs:1:1: secret is a flag and cannot be printed"],
    ["{{this}}", "x.hbs:1:1: this is not text and cannot be printed"],
    [
      "{{constructor}}",
      "x.hbs:1:3: unknown field constructor; there are title, secret, tools, hosts",
    ],
    ["{{title.length}}", "x.hbs:1:3: unknown field title.length; there are none"],
    ["{{../title}}", "x.hbs:1:3: ../title cannot be used here: there is no outer context"],
    [
      "{{#each tools}}{{#each inputs}}{{../title}}{{/each}}{{/each}}",
      "x.hbs:1:34: unknown field ../title; there are name, inputs",
    ],
    [
      "{{#each tools}}{{#if ../secrt}}{{/if}}{{/each}}",
      "x.hbs:1:22: unknown field ../secrt; did you mean ../secret? There are title, secret, tools, hosts",
    ],
    [
      "{{#each tools}}{{#each inputs}}{{tools}}{{/each}}{{/each}}",
      "x.hbs:1:34: unknown field tools; did you mean ../../tools? Here there is name",
    ],
    [
      "{{hosts.vscod}}",
      "x.hbs:1:3: unknown field hosts.vscod; did you mean hosts.vscode? There is vscode",
    ],
    [
      "{{@root.titel}}",
      "x.hbs:1:3: unknown field @root.titel; did you mean @root.title? There are title, secret, tools, hosts",
    ],
    ["{{@index}}", "x.hbs:1:3: @index can be used only inside {{#each}}"],
    [
      "{{#each tools}}{{@indx}}{{/each}}",
      "x.hbs:1:18: unknown variable @indx; there are @root and, inside {{#each}}, @index, @first and @last",
    ],
    ["{{#each tools}}{{@first}}{{/each}}", "x.hbs:1:16: @first is a flag and cannot be printed"],
    [
      "{{#each tools}}{{@../index}}{{/each}}",
      "x.hbs:1:18: unknown variable @../index; there are @root and, inside {{#each}}, @index, @first and @last",
    ],
    ["{{lookup this title}}", "x.hbs:1:1: templates have no helpers"],
    [
      "{{#unless secret}}{{/unless}}",
      "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks",
    ],
    [
      "{{#with hosts}}{{/with}}",
      "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks",
    ],
    [
      "{{#tools}}{{/tools}}",
      "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks",
    ],
    [
      "{{#each tools as |t|}}{{/each}}",
      "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks",
    ],
    ['{{#if "x"}}{{/if}}', "x.hbs:1:7: expected a field"],
    ["{{> nobody}}", "x.hbs:1:1: unknown partial nobody"],
    ["{{> titel}}", "x.hbs:1:1: unknown partial titel; did you mean title?"],
    ["{{> (lookup this 'x')}}", "x.hbs:1:1: only partials of a fixed name can be used"],
    ["{{> constructor}}", "x.hbs:1:1: unknown partial constructor"],
    ["{{> title hosts}}", "partials/title.hbs:1:5: unknown field title; there is vscode"],
    [
      "{{#each tools}}{{> outer}}{{/each}}",
      "partials/outer.hbs:1:3: ../title cannot be used here: a partial has no outer context; pass it the value: {{> name field=../field}}",
    ],
    ["{{> title tools}}", "x.hbs:1:11: tools has no fields, and a partial needs an object"],
    ["{{> title hosts tools}}", "x.hbs:1:17: a partial takes one argument at most"],
    [
      "{{> title host}}",
      "x.hbs:1:11: unknown field host; did you mean hosts? There are title, secret, tools, hosts",
    ],
    [
      "{{> row label=titel}}",
      "x.hbs:1:15: unknown field titel; did you mean title? There are title, secret, tools, hosts",
    ],
    [
      "{{#each tools}}{{> row this}}{{/each}}",
      "partials/row.hbs:1:13: unknown field label; there are name, inputs",
    ],
    [
      "{{#each tools}}{{> deep this}}{{/each}}",
      "partials/deep.hbs:1:19: unknown field nam; did you mean name? There is name",
    ],
    [
      "{{> broken}}",
      "partials/broken.hbs:2:4: unknown field titel; did you mean title? There are title, secret, tools, hosts",
    ],
    [
      "{{#each tools}}{{> title}}{{/each}}",
      "partials/title.hbs:1:5: unknown field title; there are name, inputs",
    ],
    ["{{> loop}}", "partials/loop.hbs:1:1: partial loop includes itself"],
    [
      "{{#> title}}{{/title}}",
      "x.hbs:1:1: only {{field}}, {{#each}}, {{#if}} and {{> partial}} can be used in templates",
    ],
    [
      "{{* decorator}}",
      "x.hbs:1:1: only {{field}}, {{#each}}, {{#if}} and {{> partial}} can be used in templates",
    ],
  ])("%j", (given, want) => {
    expect(problemOf(given)).toBe(want);
  });

  test.each<readonly [given: string, want: string]>([
    ["{{title", "x.hbs:1: syntax error in an expression of this line: {{title"],
    ["a\n {{}}", "x.hbs:2: syntax error in an expression of this line: {{}}"],
    ["\n{{#each tools}}\nabc", "x.hbs:3: a {{# block is not closed at the end of the template"],
    ["{{#if secret}}{{/each}}", "x.hbs:1:4: {{#if}} is closed by {{/each}}"],
    [
      '{"a": {{title}}}',
      'x.hbs:1: syntax error in an expression of this line: {"a": {{title}}} (insert a space between }} and the } after it)',
    ],
    ["{{../x/../y}}", "x.hbs:1:3: syntax error: Invalid path: ../x/.."],
  ])("%j cannot be read", (given, want) => {
    expect(problemOf(given)).toBe(want);
  });
});
