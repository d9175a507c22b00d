"""The compiler turns checked rules, a number of players and options into a `Program` over one state vector.

- `layout` assigns a meaning to each cell of the vector.
- `lower` writes every rule as functions of the intermediate representation (`ir`).
- `passes` are the optimisations, under their textbook names.
- `continuations` cuts functions that may wait for a player into blocks; `frames` and `stack` keep their locals.

Other rooms use `program`, `ir`, `visit`, `questions`, `observation_program` and `trace_marks`; backends also
use `passes`. Read first: `program`, `ir/statements`, `lower/flow/ruleset`.
"""
