"""Tools for authors: scenarios, coverage, mutation, experiments, graphs, rulebooks, fixes, pack checks.

Nothing that plays a game imports a tool. Each tool returns values; front ends print them. Tools read the engine,
`analysis` and the products of the earlier stages; of compiled games only what `artifacts` describes.

Read first: `scenarios/runner`, `experiments/run`, `pack_check`.
"""
