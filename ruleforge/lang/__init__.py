"""The language: from text to checked rules.

- `source`: YAML files -> trees that know their lines.
- `schema`: the shape of a tree, by the JSON Schemas.
- `model`: a tree -> definitions; names are still strings.
- `packs`: a core and its packs -> one model.
- `parser`: effect texts -> syntax trees, by the grammar.
- `checker`: models and syntax trees -> typed rules; names are ids.

Each stage imports only those above it in this list, and no stage stops at a mistake: it reports a diagnostic and goes
on with the rest. Other rooms use the products: `source/tree`, `model/ruleset`, `parser/nodes` and `checker/typed`.
Read first: `source/tree`, `model/ruleset`, `checker/ruleset`.
"""
