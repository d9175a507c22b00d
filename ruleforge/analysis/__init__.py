"""Checked rules -> answers to questions about them: one mechanism for each question.

- `dataflow`: the worklist solver that every fixed point uses.
- `infoflow`: which values, branches and questions depend on hidden information, and whose it is.
- `effects`: what a definition reads, writes, moves, calls, asks and rolls.
- `ranges`: the interval in which a number lies.

An analysis reads checked rules or plain values. It never runs a game and never reports a diagnostic by itself; lints,
contracts, the compiler and the tools are its clients.
"""
