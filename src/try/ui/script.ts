/**
 * Script of the page: exchanges the token of the address, lists the tools, makes a form of the
 * input schema of each, and shows requests and results. Texts of the API are added as text nodes
 * only.
 */
export const script = `
const byId = (id) => document.getElementById(id);
const status = byId("status");
const filter = byId("filter");
const main = byId("tool");
const make = (name, properties, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
};

/* The session: the token of the address is valid once. */
const KEY = "session";
const request = async (path, body, session = sessionStorage.getItem(KEY)) => {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer " + session },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
};
const connect = async () => {
  const token = location.hash.slice(1);
  if (token === "") return;
  history.replaceState(null, "", location.pathname);
  const { session } = await request("/session", {}, token);
  sessionStorage.setItem(KEY, session);
};

/* Schemas */
const resolve = (schema, root) => {
  const name = /^#\\/\\$defs\\/([^/]+)$/.exec(schema?.$ref ?? "")?.[1];
  const target = name === undefined ? undefined : root.$defs?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  return target === undefined ? (schema ?? {}) : { ...target, ...schema };
};
const SIMPLE = ["string", "integer", "number", "boolean"];
/* The schema for the field: with a single alternative beside null, that alternative. */
const simplify = (schema, root) => {
  const forms = (schema.anyOf ?? schema.oneOf ?? [schema])
    .map((form) => resolve(form, root))
    .flatMap((form) => [form.type].flat().map((type) => ({ ...form, type })));
  const values = forms.filter(({ type }) => type !== "null");
  const nullable = values.length < forms.length;
  return values.length === 1 ? { ...schema, ...values[0], nullable } : { ...schema, forms: values, nullable };
};
const kindOf = (schema, root) => {
  const { type, enum: values, items, forms } = schema;
  if (Array.isArray(values) && values.every((value) => typeof value !== "object")) return "choice";
  if (forms !== undefined) return commonKind(new Set(forms.map((form) => kindOf(form, root))));
  if (SIMPLE.includes(type)) return type;
  if (type === "array" && kindOf(simplify(resolve(items, root), root), root) === "string") return "lines";
  return "json";
};
/* The field for values of several kinds. The server converts texts to numbers. */
const commonKind = (kinds) => {
  if (kinds.has("lines")) return kinds.size === 2 && kinds.has("string") ? "textOrLines" : "json";
  if (kinds.size === 1 && !kinds.has("choice")) return [...kinds][0];
  return ["json", "boolean", "choice"].some((kind) => kinds.has(kind)) ? "json" : "string";
};
const facts = (schema, kind) => {
  const { default: value, minimum, maximum, format, examples, nullable } = schema;
  return [
    kind === "lines" && "One item per line.",
    kind === "textOrLines" && "One value, or several on lines of their own.",
    kind === "json" && "A value in JSON.",
    format !== undefined && "Format: " + format + ".",
    minimum !== undefined && "At least " + minimum + ".",
    maximum !== undefined && "At most " + maximum + ".",
    value !== undefined && "Default: " + JSON.stringify(value) + ".",
    nullable && kind !== "json" && "Enter null for no value.",
    Array.isArray(examples) && examples.length > 0 && "Example: " + JSON.stringify(examples[0]) + ".",
  ].filter(Boolean).join(" ");
};
const option = (value) => make("option", { value: JSON.stringify(value) }, String(value));
const controlOf = (schema, kind, id, required) => {
  const common = { id, required, "aria-describedby": id + "-text", autocomplete: "off" };
  if (kind === "choice" || kind === "boolean") {
    const values = [...(kind === "choice" ? schema.enum : [true, false]), ...(schema.nullable ? [null] : [])];
    return make("select", common, make("option", { value: "" }), ...values.map(option));
  }
  if (["lines", "textOrLines", "json"].includes(kind)) return make("textarea", { ...common, rows: 3, spellcheck: false });
  const isNumber = kind !== "string";
  return make("input", { ...common, type: "text", inputMode: isNumber ? "decimal" : undefined });
};
const parse = (text, kind, nullable) => {
  if (nullable && text.trim() === "null") return null;
  if (kind === "string") return text;
  if (kind === "lines" || kind === "textOrLines") {
    const lines = text.split("\\n").filter((line) => line !== "");
    return kind === "lines" || lines.length > 1 ? lines : lines[0];
  }
  if (kind === "integer" || kind === "number") {
    const number = Number(text);
    // Longer numbers would be rounded. The server reads them as text.
    return text.trim() !== "" && String(number) === text.trim() ? number : text;
  }
  return JSON.parse(text);
};
const fieldOf = (name, root) => {
  const given = resolve(root.properties[name], root);
  const schema = simplify(given, root);
  const kind = kindOf(schema, root);
  const required = (root.required ?? []).includes(name);
  const id = "input-" + name;
  const control = controlOf(schema, kind, id, required);
  const label = make("label", { htmlFor: id }, make("code", {}, name), required ? " (required)" : "");
  const text = [schema.description, facts(schema, kind)].filter(Boolean).join("\\n");
  const details = kind === "json"
    ? make("details", {}, make("summary", {}, "Schema"), make("pre", {}, JSON.stringify(given, null, 2)))
    : undefined;
  const help = make("small", { id: id + "-text" }, text);
  const element = make("div", { className: "field" }, label, control, help, details);
  const read = () => {
    control.setCustomValidity("");
    if (control.value === "") return undefined;
    try {
      return parse(control.value, kind, schema.nullable);
    } catch {
      control.setCustomValidity("This is not JSON.");
      return undefined;
    }
  };
  return { name, element, read };
};

/* A tool */
const tagOf = ({ readOnlyHint, destructiveHint }) =>
  readOnlyHint ? "read-only" : destructiveHint ? "may destroy data" : "writes";
const shown = (heading, text, failed) =>
  make("section", {}, make("h3", {}, heading), make("pre", { className: failed ? "failed" : "", tabIndex: 0 }, text));
const requestText = ({ method, url, headers, body }) =>
  [method + " " + url, ...Object.entries(headers ?? {}).map(([name, value]) => name + ": " + value)].join("\\n") +
  (body === undefined ? "" : "\\n\\n" + (typeof body === "string" ? body : JSON.stringify(body, null, 2)));
const openTool = (tool) => {
  for (const button of document.querySelectorAll("#tools button"))
    button.setAttribute("aria-current", String(button.dataset.tool === tool.name));
  const schema = tool.inputSchema;
  const fields = Object.keys(schema.properties ?? {}).map((name) => fieldOf(name, schema));
  const isRead = tool.annotations.readOnlyHint === true;
  const output = make("div", { "aria-live": "polite" });
  const show = make("button", { type: "button" }, "Show the request");
  const send = make("button", { type: "submit", disabled: !isRead }, "Send");
  const hint = isRead ? undefined : make("small", {}, "A write can be sent once its request was shown.");
  const form = make("form", { noValidate: false }, ...fields.map(({ element }) => element),
    make("div", { className: "actions" }, show, send, hint));
  const inputOf = () => {
    const entries = fields.map(({ name, read }) => [name, read()]);
    if (!form.reportValidity()) return undefined;
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };
  const run = async (button, path, display) => {
    const input = inputOf();
    if (input === undefined) return;
    button.disabled = true;
    output.replaceChildren(make("p", {}, "Working …"));
    try {
      const result = await request(path, { tool: tool.name, input });
      output.replaceChildren(...display(result));
    } catch (error) {
      output.replaceChildren(shown("Failed", error.message, true));
    }
    button.disabled = path === "/call" && !isRead;
  };
  const displayRequest = (result) => {
    const requests = result.structured?.requests;
    if (!result.isError && requests) send.disabled = false;
    if (!requests) return [shown(result.isError ? "Not sent" : "No request", result.text, result.isError)];
    return requests.map((one) => shown("Request", requestText(one)));
  };
  const displayResult = (result) => [
    shown(result.isError ? "Error" : "Result", result.text, result.isError),
    ...(result.structured === undefined ? [] : [
      make("details", {}, make("summary", {}, "Structured result"),
        make("pre", { tabIndex: 0 }, JSON.stringify(result.structured, null, 2))),
    ]),
  ];
  show.addEventListener("click", () => run(show, "/request", displayRequest));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!send.disabled) run(send, "/call", displayResult);
  });
  form.addEventListener("input", () => {
    // Another input is another request.
    send.disabled = !isRead;
  });
  main.replaceChildren(
    make("h2", {}, tool.name, " ", make("b", { className: "tag" }, tagOf(tool.annotations))),
    make("p", { className: "description" }, tool.description),
    form, output,
  );
  main.focus();
};

/* The list */
const list = (tools) => {
  const rows = tools.map((tool) => {
    const button = make("button", { type: "button" }, tool.name);
    button.dataset.tool = tool.name;
    button.addEventListener("click", () => openTool(tool));
    return { row: make("li", {}, button), button, text: (tool.name + " " + tool.description).toLowerCase() };
  });
  byId("tools").replaceChildren(...rows.map(({ row }) => row));
  const update = () => {
    const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
  };
  filter.addEventListener("input", update);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      filter.value = "";
      update();
    }
    if (event.key === "Enter") rows.find(({ row }) => !row.hidden)?.button.click();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    filter.focus();
    event.preventDefault();
  });
};
try {
  await connect();
  const { title, tools } = await request("/tools", {});
  byId("title").textContent = title;
  document.title = title;
  status.textContent = tools.length + (tools.length === 1 ? " tool" : " tools");
  byId("panes").hidden = false;
  list(tools);
} catch (error) {
  status.textContent = error.message;
}
`;
