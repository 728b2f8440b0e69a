// `npm run views`: writes templates/README.md, the reference of template fields, from the types and
// comments of the views.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Node, Project } from "ts-morph";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = `${root}templates/README.md`;

const meanings = {
  Code: "TypeScript",
  Json: "JSON",
  Markdown: "Markdown",
  EnvText: "`.env` lines",
  Html: "HTML or XML",
  DockerText: "Dockerfile",
  ShellText: "shell",
  TomlText: "TOML",
  YamlText: "YAML",
  boolean: "flag",
};

/** Returns the doc comment of a declaration on one line. */
function docOf(node) {
  const doc = node.getJsDocs().at(-1)?.getDescription().replace(/\s+/g, " ").trim();
  if (!doc)
    throw new Error(
      `${node.getSourceFile().getBaseName()}:${node.getStartLineNumber()}: ${node.getName()} has no doc comment`,
    );
  return doc;
}

/** Formats one row per field, followed by the rows of its nested fields. */
function rowsOf(members, prefix, depth = 0) {
  return members.flatMap((member) => {
    const name = `${prefix}${member.getName()}`;
    const { kind, nested, named } = shapeOf(member.getTypeNode());
    return [
      `| \`${name}\` | ${kind}${named ? ` of [${named}](#${named.toLowerCase()})` : ""} | ${docOf(member).replaceAll("|", "\\|")} |`,
      ...rowsOf(nested, `${name}${kind === "list" ? "[]" : ""}.`, depth + 1),
    ];
  });
}

function shapeOf(type) {
  if (Node.isUnionTypeNode(type))
    return shapeOf(type.getTypeNodes().find((one) => one.getText() !== "undefined"));
  if (Node.isTypeOperatorTypeNode(type)) return shapeOf(type.getTypeNode());
  if (Node.isArrayTypeNode(type)) {
    const item = shapeOf(type.getElementTypeNode());
    return { kind: "list", nested: item.nested, named: item.named };
  }
  if (Node.isTypeLiteral(type)) return { kind: "object", nested: type.getProperties() };
  const text = type.getText();
  return text in meanings
    ? { kind: meanings[text], nested: [] }
    : { kind: "object", nested: [], named: text };
}

/** Lists the fields of a view, inherited ones first (`extends Omit<ToolView, "operations">`). */
function fieldsOf(view, interfaces) {
  const inherited = view.getExtends().flatMap((base) => {
    const [, isOmit, name, omittedNames = ""] = /^(Omit<)?(\w+)(?:, (.*)>)?$/.exec(base.getText());
    return fieldsOf(interfaces.get(name), interfaces).filter(
      (field) => !isOmit || !omittedNames.includes(`"${field.getName()}"`),
    );
  });
  return [...inherited, ...view.getProperties()];
}

/** Returns the text of templates/README.md. */
export function viewsReadme() {
  const project = new Project({
    compilerOptions: { strict: true },
    skipAddingFilesFromTsConfig: true,
  });
  const sources = project.addSourceFilesAtPaths(`${root}src/render/views/*.ts`);
  const version = project
    .getSourceFileOrThrow("views.ts")
    .getVariableDeclarationOrThrow("viewsVersion")
    .getInitializerOrThrow()
    .getText();
  const interfaces = new Map(
    sources.flatMap((source) => source.getInterfaces()).map((one) => [one.getName(), one]),
  );
  const templates = new Map();
  for (const property of interfaces.get("Views").getProperties()) {
    const view = property.getTypeNodeOrThrow().getText();
    templates.set(view, [
      ...(templates.get(view) ?? []),
      `\`${property.getName().replaceAll('"', "")}\``,
    ]);
  }
  const constant = templates.get("ConstantView").join(", ");
  templates.delete("ConstantView");
  templates.set("ProjectView", ["`files/…`: every file that you add"]);
  const views = [...templates].map(([name, paths]) => ({
    title: paths.join(", "),
    rows: rowsOf(fieldsOf(interfaces.get(name), interfaces), ""),
  }));
  const parts = ["ListedToolset", "ToolSummary", "InputSummary", "EscapedText"].map((name) => ({
    name,
    title: docOf(interfaces.get(name)),
    rows: rowsOf(fieldsOf(interfaces.get(name), interfaces), ""),
  }));
  const table = (rows) => `| field | is | meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  return `# Templates

<!-- Written by \`npm run views\` from src/render/views/views.ts. -->

Views, version ${version}. Within a version fields are only added. Changed or removed fields need a major release. mcp-gen then
rejects templates of another version, which \`views.json\` beside ejected templates records (\`{"views": ${version}}\`).

The path of a template is the path of its output: \`README.md.hbs\` generates \`README.md\`. With \`--templates DIR\` (or
\`templates:\` in \`mcp-gen.yaml\`) your templates take precedence over the default ones:

- a file of the same path replaces the default template: \`DIR/README.md.hbs\`
- \`DIR/partials/tools.hbs\` replaces or adds a partial: \`{{> tools}}\`
- \`DIR/files/docs/tools.md.hbs\` adds \`docs/tools.md\` to the output

\`mcp-gen templates list\` lists the default templates. \`mcp-gen templates eject [name…]\` copies them.

Templates are [Handlebars](https://handlebarsjs.com) without logic: \`{{field}}\`, \`{{#if field}}…{{else}}…{{/if}}\`, \`{{#each list}}…{{else}}…{{/each}}\` with
\`@index\`, \`@first\` and \`@last\`, \`../field\` for the enclosing context, \`@root.field\`, and \`{{> partial}}\`, \`{{> partial object}}\`, \`{{> partial label=field}}\`.
An unknown field is an error that names its line and the nearest existing field. Nothing is written then.

Templates do not escape values, because each value is already escaped for its language. TypeScript values are complete
tokens, literals, types or declarations. JSON values are complete. Markdown values are inline. Put no quotes around values, and
use each value only in its language.
These templates have no fields and are the same for every API: ${constant}.
\`package-lock.json\` is omitted when your \`package.json\` needs other packages. \`npm install\` then creates your own.

${views.map(({ title, rows }) => `## ${title}\n\n${table(rows)}`).join("\n")}
${parts.map(({ name, title, rows }) => `## ${name}\n\n${title}\n\n${table(rows)}`).join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = viewsReadme();
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8").replaceAll("\r\n", "\n") !== text) {
    console.error("templates/README.md is out of date: run `npm run views`");
    process.exitCode = 1;
  }
}
