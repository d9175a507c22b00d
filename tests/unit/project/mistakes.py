"""Mistakes to plant in a real ruleset: where, what is written instead, and the one complaint it must give."""

from __future__ import annotations

from dataclasses import dataclass

GAME = "splicers"


@dataclass(frozen=True)
class Mistake:
    """`old` becomes `new` in a file; the complaint is expected on the line of `new` that has `at`, or its first."""

    file: str
    old: str
    new: str
    code: str
    at: str = ""
    elsewhere: tuple[str, str] = ("", "")  # the file and the text where it is noticed, if not here
    also: tuple[str, str, str] | None = None  # a further edit that is part of it: file, old, new
    about: frozenset[str] = (
        frozenset()
    )  # names of which nothing is known any more: other mistakes hide behind them

    def __str__(self) -> str:
        return f"{self.file} {self.code} {self.new.strip().splitlines()[0]}"


SLIPS = (
    # not YAML: what follows in the same file is read all the same
    Mistake(
        "events.yaml",
        "    takes: {p: player}\n    do: |\n      let c",
        "    takes: {p: player\n    do: |\n      let c",
        "RF108",
    ),
    Mistake(
        "formulas.yaml", "    is: 0 if p is game.leader else 1", "    is: 0 if p is game.leader: 1", "RF108"
    ),
    Mistake("actions.yaml", "    needs: me.acted\n", "   needs: me.acted\n", "RF108"),
    Mistake(
        "cards.yaml",
        "        text: What a ting got in this round.\n",
        '        text: "What a ting got in this round.\n',
        "RF108",
        about=frozenset({"bonus"}),
    ),
    Mistake("flow.yaml", "        when: game.round > 1\n", "        when: game.round > 1: 2\n", "RF108"),
    Mistake("places.yaml", "    of: {holder: player}\n", "    of: {holder: player\n", "RF108"),
    Mistake("keywords.yaml", "        add: farsight_bonus\n", "        add: [farsight_bonus\n", "RF108"),
)

OTHERS = (
    # shape
    Mistake(
        "actions.yaml",
        "    joined: true\n    choose:\n      c: in me.hand\n",
        "    joind: true\n    choose:\n      c: in me.hand\n",
        "RF201",
    ),
    Mistake(
        "events.yaml",
        "    takes: {c: card, b: biom, p: player}\n",
        "    taeks: {c: card, b: biom, p: player}\n",
        "RF201",
        about=frozenset({"enter"}),
    ),
    Mistake("places.yaml", "    of: {caster: player}\n", "    offf: {caster: player}\n", "RF201"),
    Mistake("game.yaml", "  players: 2\n", "  players: two\n", "RF205"),
    Mistake("flow.yaml", "    window: maybe\n", "    window: often\n", "RF204"),
    Mistake("kinds.yaml", "  calling:\n", "  Calling:\n", "RF205"),
    # names that are given twice, cannot be names, or are gone
    Mistake("kinds.yaml", "  calling:\n    text", "  trait:\n    count: 9\n  calling:\n    text", "RF110"),
    Mistake(
        "rules.yaml",
        "rules:\n",
        "kinds:\n  card:\n    count: 3\nrules:\n",
        "RF302",
        elsewhere=("rules.yaml", "  card:\n"),
        about=frozenset({"card"}),
    ),
    Mistake(
        "game.yaml",
        "  farsight_bonus:\n",
        "  by:\n",
        "RF303",
        also=("keywords.yaml", "add: farsight_bonus", "add: by"),
    ),
    Mistake(
        "places.yaml",
        "  side:\n    text: A player's tings",
        "  sied:\n    text: A player's tings",
        "RF501",
        elsewhere=("actions.yaml", "exactly 2 in side where"),
        about=frozenset({"side"}),
    ),
    Mistake(
        "cards.yaml",
        "kinds:\n  card:\n",
        "kinds:\n  crad:\n",
        "RF501",
        elsewhere=("cards.yaml", "type: card or none"),
        about=frozenset({"card"}),
    ),
    Mistake("numbers.yaml", "", "numbers:\n  spare: 1 +\n", "RF407", "spare"),
    # effects
    Mistake(
        "actions.yaml",
        "    cost: splice_tings(me, parents)\n",
        "    cost: splice_tings(me parents)\n",
        "RF407",
    ),
    Mistake(
        "events.yaml",
        "      game.clock += 1\n",
        "      game.clok += 1\n",
        "RF501",
        about=frozenset({"enter"}),
    ),
    Mistake(
        "events.yaml",
        "      c.bonus = 0\n",
        "      c.bonus = true\n",
        "RF502",
        about=frozenset({"bonus", "card"}),
    ),
    Mistake("rules.yaml", "    do: discard(m)\n", "    do: discrad(m)\n", "RF501", about=frozenset({"card"})),
    Mistake(
        "rules.yaml",
        "    do: devolve(c)\n",
        "    do: devolve(c, c)\n",
        "RF504",
        about=frozenset({"card", "side"}),
    ),
    Mistake(
        "formulas.yaml",
        "    is: root(c).home\n",
        "    is: root(c).home.dominance\n",
        "RF503",
        about=frozenset({"card", "side"}),
    ),
    Mistake("flow.yaml", "            stuck: leave turn\n", "            stuck: leave trun\n", "RF501"),
    Mistake(
        "keywords.yaml",
        "        forbid: evolve(self)\n",
        "        forbid: evolv(self)\n",
        "RF501",
        about=frozenset({"card"}),
    ),
    Mistake(
        "cards.yaml",
        "        sees: self.tokens > 0\n",
        "        sees: self.tokns > 0\n",
        "RF501",
        about=frozenset({"card"}),
    ),
    Mistake(
        "game.yaml",
        "    that: all(p.actions is 0 for p in players where p is not active)\n",
        "    that: all(p.actions is p1 for p in players where p is not active)\n",
        "RF502",
    ),
    Mistake("kinds.yaml", "    works: self in row\n", "    works: self in rwo\n", "RF501"),
    Mistake(
        "checks.yaml",
        "checks:\n",
        "checks:\n  none_at_all:\n    text: Nothing.\n    that: count(c in cards) is 1 = 2\n",
        "RF406",
        "that",
    ),
)
