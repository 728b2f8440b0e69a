// `npm run views`: writes templates/README.md, what every template may name, from the types and comments of the views.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Node, Project } from "ts-morph";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = `${root}templates/README.md`;

const meanings = {
  Code: "TypeScript",
  Json: "JSON",
  Markdown: "Markdown",
  EnvText: "`.env` line",
  Html: "HTML or XML",
  DockerText: "Dockerfile",
  ShellText: "shell",
  TomlText: "TOML",
  boolean: "flag",
};

/** The comment of a declaration, on one line. */
function docOf(node) {
  const doc = node.getJsDocs().at(-1)?.getDescription().replace(/\s+/g, " ").trim();
  if (!doc) throw new Error(`${node.getSourceFile().getBaseName()}:${node.getStartLineNumber()}: ${node.getName()} has no comment that says what it means`);
  return doc;
}

/** One row for each field, those of nested views below it. */
function rowsOf(members, prefix, depth = 0) {
  return members.flatMap((member) => {
    const name = `${prefix}${member.getName()}`;
    const { kind, nested, named } = shapeOf(member.getTypeNode());
    return [`| \`${name}\` | ${kind}${named ? ` of [${named}](#${named.toLowerCase()})` : ""} | ${docOf(member).replaceAll("|", "\\|")} |`, ...rowsOf(nested, `${name}${kind === "list" ? "[]" : ""}.`, depth + 1)];
  });
}

function shapeOf(type) {
  if (Node.isUnionTypeNode(type)) return shapeOf(type.getTypeNodes().find((one) => one.getText() !== "undefined"));
  if (Node.isTypeOperatorTypeNode(type)) return shapeOf(type.getTypeNode());
  if (Node.isArrayTypeNode(type)) {
    const item = shapeOf(type.getElementTypeNode());
    return { kind: "list", nested: item.nested, named: item.named };
  }
  if (Node.isTypeLiteral(type)) return { kind: "object", nested: type.getProperties() };
  const text = type.getText();
  return text in meanings ? { kind: meanings[text], nested: [] } : { kind: "object", nested: [], named: text };
}

function sectionOf(view) {
  const fields = [...view.getBaseDeclarations().flatMap((base) => base.getProperties()), ...view.getProperties()];
  return { title: docOf(view), name: view.getName(), rows: rowsOf(fields, "") };
}

/** The text of templates/README.md. */
export function viewsReadme() {
  const project = new Project({ compilerOptions: { strict: true }, skipAddingFilesFromTsConfig: true });
  const source = project.addSourceFileAtPath(`${root}src/render/views/views.ts`);
  const version = source.getVariableDeclarationOrThrow("viewsVersion").getInitializerOrThrow().getText();
  const sections = source.getInterfaces().map(sectionOf);
  const views = sections.filter(({ title }) => title.startsWith("`"));
  const parts = sections.filter(({ title, name }) => !title.startsWith("`") && name !== "HeaderView");
  const table = (rows) => `| field | is | meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  return `# Templates

<!-- Written by \`npm run views\` from src/render/views/views.ts. -->

Views, version ${version}. Within it fields are only added; a field that changes or goes is a major release, and \`views.json\`
beside ejected templates (\`{"views": ${version}}\`) makes mcp-gen say so instead of generating something else.

A template makes the file of its path: \`README.md.hbs\` makes \`README.md\`. \`--templates DIR\` (or \`templates:\` in
\`mcp-gen.yaml\`) puts yours in front of the default ones:

- a file of the same path replaces the default template: \`DIR/README.md.hbs\`
- \`DIR/partials/tools.hbs\` replaces or adds a partial: \`{{> tools}}\`
- \`DIR/files/docs/tools.md.hbs\` adds \`docs/tools.md\` to the output

\`mcp-gen templates list\` names the default ones, \`mcp-gen templates eject [name…]\` copies them.

Templates are [Handlebars](https://handlebarsjs.com) without logic: \`{{field}}\`, \`{{#if field}}…{{else}}…{{/if}}\`, \`{{#each list}}…{{else}}…{{/each}}\` with
\`@index\`, \`@first\` and \`@last\`, \`../field\` for what is further out, \`@root.field\`, and \`{{> partial}}\`, \`{{> partial object}}\`, \`{{> partial label=field}}\`.
A template that names a field that is not there is an error with its line and the nearest right one, before anything is written.

Nothing is escaped, because every value is finished for one language: TypeScript is a whole token, literal, type or
declaration; JSON a whole value; Markdown is inline. Put no quotes around them, and use each where its language is read.
A template without a section here sees nothing: its file is the same for every API.

${views.map(({ title, rows }) => `## ${title}\n\n${rows.length === 0 ? "Sees nothing: it is the same for every API.\n" : table(rows)}`).join("\n")}
${parts.filter(({ rows }) => rows.length > 0).map(({ name, title, rows }) => `## ${name}\n\n${title}\n\n${table(rows)}`).join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = viewsReadme();
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8").replaceAll("\r\n", "\n") !== text) {
    console.error("templates/README.md is not what the views are: npm run views");
    process.exitCode = 1;
  }
}
