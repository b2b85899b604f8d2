export const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf6; --surface: #ffffff; --ink: #16191f; --muted: #5c6068;
  --hairline: #dedad0; --edge: #8d8b83; --signal: #c7380a; }
@media (prefers-color-scheme: dark) { :root { --paper: #0e1116; --surface: #171b22; --ink: #eceae3; --muted: #9aa1ac;
  --hairline: #2b313c; --edge: #6b7380; --signal: #ff6a3a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 32px 16px 64px; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px; }
h1 { margin: 0; font-size: 26px; line-height: 32px; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { margin: 32px 0 8px; font-size: 18px; line-height: 24px; }
a { color: var(--signal); }
:focus-visible { outline: 2px solid var(--signal); outline-offset: 2px; }
.action { display: inline-flex; align-items: center; min-height: 40px; padding: 0 16px; border: 1px solid var(--edge);
  border-radius: 10px; color: var(--ink); text-decoration: none; }
.lead, .none { color: var(--muted); }
.none { padding: 48px 16px; border: 1px dashed var(--edge); border-radius: 10px; text-align: center; }
ol { margin: 24px 0 0; padding: 0; list-style: none; border: 1px solid var(--hairline); border-radius: 10px;
  overflow: hidden; background: var(--surface); }
li + li { border-top: 1px dashed var(--hairline); }
li a { display: grid; grid-template-columns: 1fr auto; gap: 0 16px; padding: 12px 16px; color: inherit;
  text-decoration: none; }
li a:hover { background: var(--paper); }
li a:focus-visible { outline-offset: -2px; }
li strong { grid-column: 1 / -1; font-weight: 600; overflow-wrap: anywhere; }
li span { overflow-wrap: anywhere; }
li span, time, dt { color: var(--muted); font-size: 14px; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 16px 0 24px; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 42rem; border: 1px solid var(--hairline); border-radius: 10px;
  background: var(--paper); }
pre { margin: 0; padding: 16px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--surface);
  border: 1px solid var(--hairline); border-radius: 10px;
  font: 14px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.big { margin: 24px 0 0; font-size: 40px; line-height: 48px; font-weight: 650; font-variant-numeric: tabular-nums; }
form { display: grid; gap: 8px; margin: 24px 0 0; }
button { min-height: 48px; padding: 8px 16px; border: 1px solid var(--edge); border-radius: 10px; background: var(--surface);
  color: inherit; font: inherit; text-align: left; cursor: pointer; }
button:hover { border-color: var(--signal); }
button.first { border-color: var(--signal); background: var(--signal); color: #ffffff; font-weight: 600; }
@media (prefers-color-scheme: dark) { button.first { color: #0e1116; } }
button span { display: block; color: var(--muted); font-size: 14px; font-weight: 400; }
button.first span { color: inherit; }
`
