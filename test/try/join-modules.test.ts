import { expect, test } from "vitest";
import { joinModules } from "../../src/try/join-modules.js";

const index = (...names: string[]): string =>
  `// Generated.\n${names.map((name) => `import { ${name} } from "./pets/${name}.js";`).join("\n")}

export const tools = Array.of(${names.join(", ")});`;

const tool = (name: string, imports = `import { Pet, page } from "../../schemas.js";`): string =>
  `// Generated.
import { defineTool } from "../../runtime/index.js";
${imports}

export const ${name} = defineTool({
  description: "// import no more; export const it = 1;",
});`;

const joined = (...modules: (readonly [string, string])[]): string => {
  const names = modules.map(([path]) => /(\w+)\.js$/.exec(path)![1]!);
  const found = joinModules(
    [["src/tools/index.js", index(...names)], ...modules],
    "src/tools/index.js",
  );
  return found.map(([path, code]) => `${path}\n${code}`).join("\n\n");
};

test("constants of modules move into the index, with each import once", () => {
  expect(joined(["src/tools/pets/a.js", tool("a")], ["src/tools/pets/b.js", tool("b")]))
    .toBe(`src/tools/index.js
import { defineTool } from "./../runtime/index.js";
import { Pet } from "./../schemas.js";
import { page } from "./../schemas.js";
const a = defineTool({
  description: "// import no more; export const it = 1;",
});
const b = defineTool({
  description: "// import no more; export const it = 1;",
});
// Generated.

export const tools = Array.of(a, b);`);
});

test.each([
  ["another statement", `${tool("b")}\nexport const other = 1;`],
  ["another kind of import", tool("b", `import schemas from "../../schemas.js";`)],
  ["a name that is that of a tool", tool("b", `import { a } from "../../schemas.js";`)],
  ["a name that is declared by the index", tool("b", `import { tools } from "../../schemas.js";`)],
  ["a name of another module", tool("b", `import { Pet } from "../../other.js";`)],
  ["another name of the same export", tool("b", `import { Cat as Pet } from "../../schemas.js";`)],
])("a module with %s stays", (_, code) => {
  const text = joined(["src/tools/pets/a.js", tool("a")], ["src/tools/pets/b.js", code]);
  expect(text).toContain(`import { b } from "./pets/b.js";`);
  expect(text).toContain(`src/tools/pets/b.js\n${code}`);
  expect(text).not.toContain("src/tools/pets/a.js");
});

test("a module that another one imports stays", () => {
  const text = joined(
    ["src/tools/pets/a.js", tool("a")],
    ["src/tools/flow.js", `import { a } from "./pets/a.js";\nexport default a;`],
  );
  expect(text).toContain("src/tools/pets/a.js\n");
});
