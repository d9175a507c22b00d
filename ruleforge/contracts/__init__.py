"""Contracts of locked cores: contract file and packs -> verdicts, locks, and the gate that acts in play.

A contract is data. `trial` holds the effect summaries of the packs, and two tables say what is asked of them: `limits`
of single changes, `inquiries` of all together. `gate` keeps up in play what only adds up there. Other rooms use `model`,
`judge`, `judgement`, `contract_reader` and `locks`.

Read first: `model`, `limits`, `inquiries`, `judge`.
"""
