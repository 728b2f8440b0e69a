import Handlebars from "handlebars";
import { describe, expect, test } from "vitest";
import { checkTemplate, TemplateError } from "../../../src/render/templates/check.js";
import type { Shape } from "../../../src/render/templates/shape.js";

const shape: Shape = { title: "text", secret: "flag", tools: [{ name: "text", inputs: [{ name: "text" }] }], hosts: { vscode: "text" } };
const partials: Readonly<Record<string, string>> = {
  title: "# {{title}}",
  tool: "- {{name}}",
  broken: "\n {{titel}}",
  loop: "{{> loop}}",
};

function problemOf(text: string): string | undefined {
  const partial = (name: string) => (Object.hasOwn(partials, name) ? { file: `partials/${name}.hbs`, text: partials[name]! } : undefined);
  try {
    checkTemplate({ file: "x.hbs", text }, shape, partial, (source) => Handlebars.parse(source));
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
])("%j is well", (text) => {
  expect(problemOf(text)).toBeUndefined();
});

describe("mistakes", () => {
  test.each<readonly [given: string, want: string]>([
    ["{{titel}}", "x.hbs:1:3: there is no field titel; there are title, secret, tools, hosts"],
    ["a\n  {{hosts.cursor}}", "x.hbs:2:5: there is no field hosts.cursor; there are vscode"],
    ["{{#each tools}}\n{{nam}}{{/each}}", "x.hbs:2:3: there is no field nam; there are name, inputs"],
    ["{{#each tools}}{{title}}{{/each}}", "x.hbs:1:18: there is no field title; there are name, inputs"],
    ["{{#each tool}}{{/each}}", "x.hbs:1:9: there is no field tool; there are title, secret, tools, hosts"],
    ["{{#if titel}}{{/if}}", "x.hbs:1:7: there is no field titel; there are title, secret, tools, hosts"],
    ["{{#if secret}}{{else}}{{titel}}{{/if}}", "x.hbs:1:25: there is no field titel; there are title, secret, tools, hosts"],
    ["{{#each title}}{{/each}}", "x.hbs:1:9: title is no list"],
    ["{{tools}}", "x.hbs:1:1: tools is no text and cannot be printed"],
    ["{{secret}}", "x.hbs:1:1: secret is a flag and cannot be printed"],
    ["{{this}}", "x.hbs:1:1: this is no text and cannot be printed"],
    ["{{constructor}}", "x.hbs:1:3: there is no field constructor; there are title, secret, tools, hosts"],
    ["{{title.length}}", "x.hbs:1:3: there is no field title.length; there are none"],
    ["{{../title}}", "x.hbs:1:3: ../title cannot be used here"],
    ["{{@root.title}}", "x.hbs:1:3: @root.title cannot be used here"],
    ["{{lookup this title}}", "x.hbs:1:1: templates have no helpers"],
    ["{{#unless secret}}{{/unless}}", "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks"],
    ["{{#with hosts}}{{/with}}", "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks"],
    ["{{#tools}}{{/tools}}", "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks"],
    ["{{#each tools as |t|}}{{/each}}", "x.hbs:1:1: only {{#each list}} and {{#if field}} can be used as blocks"],
    ['{{#if "x"}}{{/if}}', "x.hbs:1:7: only fields can be named"],
    ["{{> nobody}}", "x.hbs:1:1: there is no partial nobody"],
    ["{{> constructor}}", "x.hbs:1:1: there is no partial constructor"],
    ["{{> title hosts}}", "x.hbs:1:1: partials take no parameters"],
    ["{{> broken}}", "partials/broken.hbs:2:4: there is no field titel; there are title, secret, tools, hosts"],
    ["{{#each tools}}{{> title}}{{/each}}", "partials/title.hbs:1:5: there is no field title; there are name, inputs"],
    ["{{> loop}}", "partials/loop.hbs:1:1: partial loop includes itself"],
    ["{{#> title}}{{/title}}", "x.hbs:1:1: only {{field}}, {{#each}}, {{#if}} and {{> partial}} can be used in templates"],
    ["{{* decorator}}", "x.hbs:1:1: only {{field}}, {{#each}}, {{#if}} and {{> partial}} can be used in templates"],
  ])("%j", (given, want) => {
    expect(problemOf(given)).toBe(want);
  });

  test.each(["{{title", "\n{{#each tools}}", "{{#if secret}}{{/each}}", "{{}}"])("%j cannot be read", (text) => {
    expect(problemOf(text)).toMatch(/^x\.hbs:\d+: /);
  });
});
