"""The language turns text into checked rules.

- `source` reads YAML files as trees that know their lines.
- `schema` checks the shape of a tree with the JSON Schemas.
- `model` turns a tree into definitions; names are still strings.
- `packs` joins a core and its packs in one model.
- `parser` turns effect texts into syntax trees, by the grammar.
- `checker` turns models and syntax trees into typed rules; names are ids.

Each stage imports only the stages above it in this list. No stage stops at a mistake: it reports a diagnostic
and continues with the rest. Other rooms use the products: `source/tree`, `model/ruleset`, `parser/nodes` and
`checker/typed`. Read first: `source/tree`, `model/ruleset`, `checker/ruleset`.
"""
