/** Results as JUnit XML, which CI systems show. */
import { toVisibleText } from "../../render/code/safe.js";

/** A test case: a task, with the reasons of its failure. */
export interface TestCase {
  readonly name: string;
  readonly problems: readonly string[];
  readonly notes?: readonly string[];
}

/** A test suite in the form that Jenkins, GitHub and GitLab read. */
export function junit(suite: string, cases: readonly TestCase[]): string {
  const failures = cases.filter(({ problems }) => problems.length > 0).length;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="${xml(suite)}" tests="${cases.length}" failures="${failures}">
${cases.map((one) => testCase(suite, one)).join("\n")}
</testsuite>
</testsuites>
`;
}

function testCase(suite: string, { name, problems, notes = [] }: TestCase): string {
  const failure =
    problems.length > 0
      ? `\n<failure message="${xml(problems[0] as string)}">${xml(problems.join("\n"))}</failure>`
      : "";
  const output = notes.length > 0 ? `\n<system-out>${xml(notes.join("\n"))}</system-out>` : "";
  return `<testcase classname="${xml(suite)}" name="${xml(name)}">${failure}${output}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

function xml(text: string): string {
  return toVisibleText(text).replace(/[&<>"\n]/g, (character) => ENTITIES[character] as string);
}
