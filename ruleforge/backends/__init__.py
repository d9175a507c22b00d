"""Backends: a program -> something that runs it. All backends give the same state vectors.

- `reference` is the oracle: an interpreter that is written to be read. It can be observed.
- `python_source` writes Python, `native` writes WebAssembly, `auto` chooses between them.
- `artifacts` owns all that is made from the rules of one game, and what is cached between runs.

Other rooms use `api`, `faults`, `playouts`, `artifacts` and `reference/trace`. Read first: `api`, `reference/run`,
`artifacts/compiled`.
"""
