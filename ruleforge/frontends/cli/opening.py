"""The name of a game, and packs -> the game, or its rules with all that is known of them, or complaints and an end."""

from __future__ import annotations

from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import Game
from ruleforge.frontends.cli.output import complain, leave, waiting
from ruleforge.frontends.repl.rules import Rules, read_rules
from ruleforge.loading import load


def load_or_leave(
    what: str, packs: tuple[str, ...] = (), backend: str = "auto", observe: bool = False
) -> Game:
    """The game, or its complaints and exit 1."""
    try:
        return load(what, packs, backend=backend, observe=observe)
    except RulesetError as error:
        complain(error.diagnostics)
        leave(1)


def rules_or_leave(what: str, packs: tuple[str, ...] = ()) -> Rules:
    """The rules with all that is known of them, or their complaints and exit 1."""
    try:
        with waiting("reading the rules …"):
            return read_rules(what, packs)
    except RulesetError as error:
        complain(error.diagnostics)
        leave(1)
