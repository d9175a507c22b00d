"""Effects: what each definition reads, writes, moves, calls, asks and rolls.

What every client asks:

- `relations`: the table of what each type of node does by itself. A type without a row fails a test.
- `definitions`: everything that acts, each with its effects.
- `calls`: the nodes of a piece of rules, through the events and formulas that it uses.
- `closure`: all that a piece of rules touches through its calls, as summaries by definition.
- `foresight`, `payments`, `standing`, `blocks`: what can be foreseen in a trial, which way to pay matters, what wakes a
  standing rule, what happens in any case.

Contracts need more: how far an attribute goes up, of whose, how often, under which conditions, inside which event.

- `summary`: the effect summary of a definition; `summarizer` makes it, `report` says it in words.
- `walk`, with `changes` and `moves`: statements in their circumstances; it has a row for every type of statement, too.
- `uses`: what is so in every use of a formula or event.
- `ranges`, `things`, `deltas`, `linear`, `values`, `ownership`: what is known of values on the way.
"""
