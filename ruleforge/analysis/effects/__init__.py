"""Effects: the reads, writes, moves, calls, questions and random results of each definition.

Every client uses these modules:

- `relations`: the direct effects of each type of node, as a table. A type without a row fails a test.
- `definitions`: all definitions with effects.
- `calls`: the nodes of a piece of rules, through the events and formulas that it uses.
- `closure`: the effects of a piece of rules through its calls, as summaries by definition.
- `foresight`, `payments`, `standing_rules`, `blocks`: the limits of trials, the ways to pay, the triggers of a standing
  rule, the effects that happen in any case.

Contracts need more: how far an attribute goes up, whose it is, how often, under which conditions, inside
which event.

- `summary`: the effect summary of a definition. `summarizer` computes it, `report` prints it.
- `walk`, with `changes` and `moves`: statements in their circumstances, with a row for every type of statement.
- `uses`: the facts that hold in every use of a formula or event.
- `ranges`, `things`, `deltas`, `linear`, `values`, `ownership`: the known values of expressions.
"""
