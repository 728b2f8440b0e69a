/** Style sheet of the page, after that of the report, whose colors it has. */
export const style = `
header h1 { overflow-wrap: anywhere; }
.panes { display: grid; grid-template-columns: minmax(12rem, 18rem) minmax(0, 1fr); gap: 2rem; }
nav { display: block; }
nav input { width: 100%; }
nav ul { list-style: none; padding: 0; margin: .75rem 0; max-height: 75vh; overflow-y: auto; }
nav li button {
  display: block;
  width: 100%;
  text-align: left;
  border-color: transparent;
  background: none;
  padding: .3rem .5rem;
  overflow-wrap: anywhere;
}
nav li button[aria-current="true"] { border-color: var(--accent); background: var(--raised); }
main:focus { outline: none; }
main h2 { margin-top: 0; border: 0; padding: 0; overflow-wrap: anywhere; }
.description { white-space: pre-line; }
.field { margin: 1rem 0; border: 0; padding: 0; min-width: 0; }
.field label { font-weight: 600; }
.field small { display: block; white-space: pre-line; }
.field input, .field select, .field textarea { display: block; width: 100%; margin-top: .25rem; }
select, textarea {
  font: inherit;
  color: inherit;
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: .4rem .75rem;
}
textarea { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:user-invalid { border-color: var(--bad); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; }
.actions button[type="submit"] { border-color: var(--accent); }
button:disabled { color: var(--soft); cursor: not-allowed; }
pre {
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: .75rem 1rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
}
.failed { border-color: var(--bad); }
@media (max-width: 48rem) {
  .panes { grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  nav ul { max-height: 12rem; }
}
`;
