"""How the page looks: the reader's own colours and letters, light or dark."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # nothing is fetched and nothing runs

CSS = """
:root { color-scheme: light dark; --page: #fff; --text: #1c1c1e; --line: #d4d4d8; --soft: #f4f4f5; }
@media (prefers-color-scheme: dark) {
  :root { --page: #18181b; --text: #e4e4e7; --line: #3f3f46; --soft: #27272a; }
}
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.25rem; }
figure { margin: 1rem 0; overflow-x: auto; }
svg { width: 100%; min-width: 32rem; height: auto; }
svg text { font-family: system-ui, sans-serif !important; }
code { background: var(--soft); padding: 0.15rem 0.35rem; border-radius: 0.25rem; overflow-wrap: anywhere; }
details { margin: 0.5rem 0 1rem; }
summary { cursor: pointer; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.75rem 0.2rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
.names { columns: 14rem; }
@media print { details > * { display: block; } }
"""
