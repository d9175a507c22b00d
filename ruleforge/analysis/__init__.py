"""The analyses answer questions about checked rules, with one mechanism for each question.

- `dataflow`: the worklist solver that every fixed point uses.
- `infoflow`: the hidden information on which values, branches and questions depend, and its owner.
- `effects`: the reads, writes, moves, calls, questions and random results of a definition.
- `intervals`: the range of a number, and the ranges of everything computed from it.
- `ranges`: the ranges of the values of a compiled program.

`dataflow` and `intervals` import nothing of RuleForge, and every stage may use them.

An analysis reads checked rules, a compiled program or plain values. It never runs a game and never reports a
diagnostic by itself. Lints, contracts, the compiler and the tools are its clients.
"""
