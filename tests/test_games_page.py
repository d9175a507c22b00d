"""The page of games is in step with the rulesets and the figures noted."""

from __future__ import annotations

from benchmarks import games


def test_the_page_is_what_the_rulesets_make_of_it() -> None:
    assert games.PAGE.read_text("utf-8") == games.page(), "python -m benchmarks.games writes it anew"


def test_every_game_has_something_worth_a_look() -> None:
    assert not [name for name, folder in games.games().items() if not list(games._shows(folder))]


def test_no_figure_is_about_a_game_that_is_not_there() -> None:
    noted = games.figures()
    names = {key.partition(":")[0] for key in (*noted["agreement"], *noted["speed"])}
    assert names <= set(games.games())
    assert not [key for key, figure in noted["agreement"].items() if figure["differences"]]


def test_every_game_has_a_picture() -> None:
    """`make pictures` takes it in a browser."""
    folder = games.PAGE.parent / "pictures" / "games"
    assert {file.stem for file in folder.glob("*.webp")} >= set(games.games())
