"""Loads a game, its analysis or its table for a command; on mistakes, prints them and exits."""

from __future__ import annotations

from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.frontends.cli.game_setup import GameOptions, GameSetup, set_up
from ruleforge.frontends.cli.output import leave, print_diagnostics, refuse, waiting
from ruleforge.frontends.repl.console import Rules, read_rules


def load_or_leave(
    what: str, packs: tuple[str, ...] = (), backend: str = "auto", observe: bool = False
) -> Game:
    """The game, or its diagnostics and exit 1."""
    try:
        return load(what, packs, backend=backend, observe=observe)
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(1)


def rules_or_leave(what: str, packs: tuple[str, ...] = ()) -> Rules:
    """The rules with all that is known of them, or their diagnostics and exit 1."""
    try:
        with waiting("reading the rules …"):
            return read_rules(what, packs)
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(1)


def set_up_or_leave(rules: Rules, options: GameOptions) -> GameSetup:
    """A game on the table, or why there can be none."""
    try:
        with waiting("setting up the table …"):
            return set_up(rules, options)
    except PlayError as error:
        refuse(error)
