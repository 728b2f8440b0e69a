import { Option } from "commander";
import { suggestionFor, formatDiagnostic, toSingleLine, quoteText } from "../diagnostics/index.js";
import { type DefaultTemplate, defaultTemplates, templateDocs } from "../render/templates/load.js";
import { addFiles } from "../write/add-files.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { notEmpty } from "./options.js";
import { newProgram, parse, reportUsageError } from "./program.js";

interface TemplatesCommand {
  readonly action: string | undefined;
  readonly names: readonly string[];
  readonly options: { readonly output: string; readonly force?: boolean };
}

const NAME = "mcp-gen templates";

const afterHelp = `
  list           prints the names of the default templates
  eject [name…]  copies the named templates, or all, for editing

Examples:
  mcp-gen templates list
  mcp-gen templates eject README.md partials/tools
  mcp-gen openapi.yaml -o ./server --templates ./templates

The README.md next to the copies documents the fields of each template. Keep only the templates that
you change: mcp-gen provides the others. Templates of additional files belong in templates/files/.
`;

/** `mcp-gen templates list` and `mcp-gen templates eject [name…]`. */
export async function runTemplates(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const command = parseTemplates(args, terminal);
  if (typeof command === "number") return command;
  const templates = defaultTemplates();
  if (command.action === "list")
    return (terminal.print(templates.map(({ name }) => `${name}\n`).join("")), exitCodes.done);
  if (command.action === "eject") return eject(templates, command, terminal);
  if (command.action === undefined)
    return reportUsageError(terminal, "Give an action: list or eject", NAME);
  return reportUsageError(
    terminal,
    `Unknown action ${quoteText(command.action)}. Use list or eject`,
    NAME,
  );
}

function parseTemplates(args: readonly string[], terminal: Terminal): TemplatesCommand | ExitCode {
  const options = [
    new Option("-o, --output <dir>", "folder to copy to").argParser(notEmpty).default("templates"),
    new Option("--force", "overwrite existing templates"),
  ];
  const program = newProgram(
    NAME,
    "[options] list | eject [name…]",
    [{ title: "Eject:", options }],
    terminal,
  )
    .argument("[action]", "list or eject")
    .argument("[name...]", "names of templates, from list")
    .addHelpText("after", afterHelp);
  return parse(program, args, ({ args: [action, ...names] }) => ({
    action,
    names,
    options: program.opts(),
  }));
}

function eject(
  templates: readonly DefaultTemplate[],
  { names, options }: TemplatesCommand,
  terminal: Terminal,
): ExitCode {
  const unknown = names.find((name) => findTemplate(templates, name) === undefined);
  if (unknown !== undefined)
    return reportUsageError(
      terminal,
      describeUnknown(
        unknown,
        templates.map(({ name }) => name),
      ),
      NAME,
    );
  const chosen =
    names.length === 0 ? templates : names.flatMap((name) => findTemplate(templates, name) ?? []);
  const { written, unchanged, problem } = addFiles(
    [...templateDocs(), ...new Set(chosen)].map(({ path, text }) => ({ path, content: text })),
    options.output,
    options.force === true,
  );
  if (problem)
    return (
      terminal.error(`${formatDiagnostic(problem, { colorize: terminal.paint })}\n`),
      exitCodes.refused
    );
  terminal.print(formatEjected(written, unchanged.length, toSingleLine(options.output)));
  return exitCodes.done;
}

function describeUnknown(name: string, names: readonly string[]): string {
  const suggestion = suggestionFor(name, names);
  return `Unknown template ${quoteText(name)}${suggestion || ". mcp-gen templates list prints the names"}`;
}

/**
 * Finds a template by its name or by a unique suffix such as `[tool].ts`, with or without `.hbs`.
 */
function findTemplate(
  templates: readonly DefaultTemplate[],
  given: string,
): DefaultTemplate | undefined {
  const wanted = given.replaceAll("\\", "/").replace(/\.hbs$/, "");
  const ending = templates.filter(({ name }) => name.endsWith(`/${wanted}`));
  return (
    templates.find(({ name }) => name === wanted) ?? (ending.length === 1 ? ending[0] : undefined)
  );
}

function formatEjected(written: readonly string[], unchanged: number, folder: string): string {
  if (written.length === 0)
    return `${folder} already has ${unchanged === 1 ? "this template" : "these templates"}.\n`;
  const files = written.map((path) => `  + ${folder}/${path}\n`).join("");
  const advice = `Edit the templates that you need, delete the others, and generate with --templates ${folder}.`;
  return `${files}${advice}\n`;
}
