"""Options for the agents of an experiment, shared by several commands and checked before the first game."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click

from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import Game
from ruleforge.frontends.cli.output import leave, print_diagnostics, say
from ruleforge.play.agents import OUTSIDE
from ruleforge.tools.experiments.plan import Rules, Table
from ruleforge.tools.experiments.run import Force, read
from ruleforge.tools.experiments.workers import CannotPlay, cores

F = TypeVar("F", bound=Callable[..., Any])


def force_options(function: F) -> F:
    """Processes of this machine, or a cluster."""
    for option in (
        click.option(
            "--cluster",
            default="",
            metavar="ADDRESS",
            help="Play on a Dask cluster: the address of its scheduler, as tcp://host:8786.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(0, 256),
            default=1,
            show_default=True,
            help="Number of processes; 0: one for each core. The result is the same.",
        ),
    ):
        function = option(function)
    return function


def force_or_leave(jobs: int, cluster: str, table: Table) -> Force:
    """The workers that play; on misuse, print the reason and exit with 2."""
    if cluster and jobs != 1:
        misuse("`--jobs` is for this machine; a cluster has its own workers")
    jobs = jobs or os.cpu_count() or 1
    if (jobs > 1 or cluster) and any(agent.startswith(OUTSIDE) for agent in table.agents.values()):
        misuse("a seat outside this program plays one game at a time; leave out `--jobs` and `--cluster`")
    try:
        return Force(cores(cluster), cluster) if cluster else Force(jobs)
    except CannotPlay as problem:
        misuse(str(problem))


def game_or_leave(rules: Rules) -> Game:
    """The game, kept for processes that are made from this one; or its diagnostics and exit 1."""
    try:
        return read(rules)
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(1)


def misuse(words: str) -> NoReturn:
    say(f"error: {words}", err=True)
    leave(2)
