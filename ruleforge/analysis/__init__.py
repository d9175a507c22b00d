"""Checked rules -> answers to questions about them: one mechanism for each question.

- `dataflow`: the worklist solver that every fixed point uses.
- `infoflow`: which values, branches and questions depend on hidden information, and whose it is.
- `effects`: what a definition reads, writes, moves, calls, asks and rolls.
- `intervals`: the range in which a number lies, and the ranges of all that is computed from it.
- `ranges`: the ranges of the values of a compiled program.

`dataflow` and `intervals` import nothing of RuleForge, and every stage may use them.

An analysis reads checked rules, a compiled program or plain values. It never runs a game and never reports a
diagnostic by itself; lints, contracts, the compiler and the tools are its clients.
"""
