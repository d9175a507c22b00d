"""Projects: a name or a folder of rule files -> an `Analysis`, with all products and diagnostics of the stages.

Other rooms use `pipeline.analyse` and `pipeline.Analysis` for paths, `resolver.analyse` for names, and `locator` to find
games and packs. Read first: `pipeline`, the whole journey on one screen.
"""
