"""Backends run compiled programs. All backends compute the same state vectors.

- `reference` is the oracle: an interpreter that is written to be read. It can be observed.
- `python_source` writes Python, `native` writes WebAssembly, `auto` chooses between them.
- `artifacts` owns everything that is compiled from the rules of one game, and its cache.

Other rooms use `api`, `faults`, `playouts`, `artifacts` and `reference/trace`. Read first: `api`,
`reference/run`, `artifacts/compiled`.
"""
