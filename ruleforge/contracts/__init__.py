"""Contracts protect locked cores: this room judges packs by a contract file, locks cores, and makes the gate
used in play.

A contract is data. `trial` holds the effect summaries of the packs. Two tables list the checks: `limits` for
single changes, `inquiries` for all changes together. `gate` enforces in play the limits that only sums can
break. Other rooms use `model`, `judge`, `judgement`, `contract_reader` and `locks`.

Read first: `model`, `limits`, `inquiries`, `judge`.
"""
