"""Projects turn a name or a folder of rule files into an `Analysis`, with all products and diagnostics.

Other rooms use `pipeline.analyse` and `pipeline.Analysis` for paths, `resolver.analyse` for names, and
`locator` to find games and packs. Read first: `pipeline`, which shows all stages in order.
"""
