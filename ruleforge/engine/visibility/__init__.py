"""Hidden information at run time: the knowledge of each seat about a position and a step.

A ruleset says who sees what (`sees:` of attributes, places, actions and questions). Everything else follows from it.

**A position.** A seat sees its table: open values, things in places it can see, and `?` for other things. The number
of things in a place is always known. Choices among hidden things are named by where they lie (`ann.hand[2]`).

**A step.** A seat gets a log entry: the choice as far as it may know it, the names of events, and the changes.
An event is named to a seat that sees everything which decided whether the event happens. Its values are `?` where the
seat does not see them at that moment. Between two names the seat gets the difference of its table, in an order that
depends on the table alone. So the log entry of a seat depends only on what the seat may know.

**A question.** `evaluate`, `why_not` and hints answer a seat only from values that the seat sees.

**A sampled world.** `state.sample_world(seat)` draws a position that could be the true one for all that the seat knows
(determinization). It is made from the seat's information and random numbers alone.

A game that hides nothing uses none of this: its log is the list of its records.

Read first: `conditions` (who may see what in one position), `seat_log` (a log entry), `determinization` (a sampled
world).

Other modules may import:

- `conditions`: `Visibility`, `PUBLIC`, `EVERYTHING`, `Asker`
- `ruleset`: `RulesetVisibility`, which is `variant.visibility`
- `table`: `look`, `plain`
- `choices`: `HiddenChoice`, `redacted_text`
- `seat_log`: `SeatLog`
- `read_tracking`: `ReadCheck`, `Reads`
- `disclosure`: `has_learned`, `sealed_players`, `sees_more`
- `determinization`: `Determinizer`
"""
