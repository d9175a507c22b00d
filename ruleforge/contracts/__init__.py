"""Contracts of locked cores: contract file and packs -> verdicts, locks, and the gate that acts in play.

A contract is data. `pack_set` gives the effect summaries of the packs, `judge` asks every inquiry about them, and `gate`
keeps up in play what only adds up there. Other rooms use `model`, `judge`, `judgement`,
`contract_reader` and `locks`.

Read first: `model`, `limits`, `judge`.
"""
