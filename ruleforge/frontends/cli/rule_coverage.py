"""Rule coverage for `ruleforge test --cover`: it watches games and prints the figures."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from ruleforge.engine.game import Game
from ruleforge.frontends.cli.output import output
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.project.pipeline import own_files
from ruleforge.project.resolver import analyse
from ruleforge.support.output_files import write_text
from ruleforge.tools.coverage.cover import Cover, Observed, observed, random_games
from ruleforge.tools.coverage.items import in_order
from ruleforge.tools.coverage.report import as_data, files_of, kind_shares, line_share, missing, page
from ruleforge.tools.scenarios.locator import Suite

MOST = 40  # places that are listed; a page has all


class CoverageCollector:
    """Collects the items that run in all games of the scenarios."""

    def __init__(self, games: int, seed: int) -> None:
        self._games, self._seed = games, seed
        self._watched: list[Observed] = []
        self._meant: list[Suite] = []  # whose rules are asked for, and not loaded yet
        self._files: set[str] = set()
        self._cover = Cover(())
        self._texts: dict[str, str] = {}

    def begin(self, suite: Suite) -> None:
        """The rules of this suite are meant: those of its pack, or of the game; others may come with them."""
        self._meant.append(suite)

    def load(self, rules: Path, packs: tuple[str | Path, ...]) -> Game:
        """As `loading.load`, with an observer that records coverage."""
        analysis = analyse(rules, packs)
        found = observed(analysis, str(rules))
        self._watched.append(found)
        for suite in self._meant:
            self._files |= {file.path for file in own_files(analysis, suite.packs)}
        self._meant.clear()
        trees = [t for t in (analysis.source, *(p.source for p in analysis.packs)) if t is not None]
        self._texts |= {file.path: file.content for tree in trees for file in tree.files}
        return found.game

    def play(self, silent: bool) -> None:
        """Random games with what was loaded first, and then all that ran is added up."""
        if self._watched and self._games:
            first = self._watched[0]
            with progress_bar("random games", self._games, silent) as progress:
                for seen in random_games(first, self._games, self._seed, first.game.ceilings.decisions):
                    self._cover.add(seen)
                    progress.advance(progress.task_ids[0], 1)
        for one in self._watched:
            own = {item for item in one.items if item.span.file in self._files}
            self._cover.items = in_order({*self._cover.items, *own})
            self._cover.add(one.take())

    def as_data(self) -> dict[str, object]:
        return as_data(self._cover)

    def tell(self, quiet: bool) -> None:
        cover, console = self._cover, output().console()
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column()
        table.add_column(justify="right")
        for name, share in (("lines of rules", line_share(cover)), *kind_shares(cover).items()):
            table.add_row(name, str(share))
        if not quiet:
            for file in files_of(cover):
                table.add_row(f"  {file}", str(line_share(cover, file)))
        found = missing(cover)
        for item, note in found[:MOST]:
            what = f"{item.kind} {item.word}".rstrip()
            console.print(
                f"{item.span.file}:{item.span.line}:{item.span.column}: {what} {note}", soft_wrap=True
            )
        if len(found) > MOST:
            console.print(f"... and {len(found) - MOST} more; --cover-html shows all")
        console.print(table)

    def write_page(self, file: Path) -> None:
        title = self._watched[0].game.title if self._watched else "no rules"
        write_text(file, page(title, self._cover, self._texts))
