"""Record moved, shuffled and shown things: as emissions that trigger rules, and as changes of the core."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.analysis.effects.changes import Changes
from ruleforge.analysis.effects.circumstances import Env, Found, Where
from ruleforge.analysis.effects.ownership import belongs, controller_of
from ruleforge.analysis.effects.summary import Change, Emission, Occasion, Who
from ruleforge.analysis.effects.values import conjuncts, same, written_out
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.checker.walk import replaced

MOST_NAMED = 64  # things that a move lists one by one


class Moves(Changes):
    """Records where things go, and who can see them."""

    def move(self, node: t.Move, env: Env, where: Where, found: Found) -> None:
        kind, place = node.place.holds, node.place
        emission = Emission(("move", kind.name), (), node.span, where.sealed, where.times)
        found.emits.append(replace(emission, things=(self.ranges.things(node.thing, env),), into=place.name))
        lies = self.ranges.lies_in(node.thing, env)
        holding = sorted(lies or {p.name for p in self.rules.places.values() if p.holds is kind})
        if self.owner(kind.span):
            moved = Occasion("move", node.span, kind.name, where.sealed, where.conditions)
            found.occasions.append(replace(moved, sources=tuple(holding), into=place.name))
            return
        sources = [f"{kind.name} from {name}" for name in holding]
        if lies and any(self.owner(self.rules.places[name].span) for name in lies):
            sources.append(f"{kind.name} from new")
        single = lies is not None and len(lies) == 1
        names = self._names(place, sources if single else [])
        who = self._whose(node.thing, env, where)
        touches = self._touched(node, env, where, sources, known=bool(lies))
        goal = self.ranges.keeper(place, node.index, env) or self._named_after(node, env, where)
        lay = (next(iter(lies)), self.ranges.holder(node.thing, env)) if lies and single else None
        change = Change("move", names, node.span, who=who, touches=touches, path=where.path)
        perhaps = () if lies else tuple(sources)
        self.change(found, where, replace(change, goal=goal, lay=lay, perhaps=perhaps))

    def _names(self, place: t.Place, sources: list[str]) -> tuple[str, ...]:
        """The names of a move into a place. `sources` are the known places of the thing."""
        kind = place.holds
        into = [f"{kind.name} into {place.name}"]
        if self.owner(place.span):
            into.append(f"{kind.name} into new")
        routes = (f"{source} into {place.name}" for source in sources)
        return (*routes, *into, *sources, place.name, kind.name)

    def _touched(
        self, node: t.Move, env: Env, where: Where, sources: list[str], known: bool
    ) -> tuple[str, ...]:
        """Further names under which guards know a move."""
        place = node.place
        routes = [f"{source} into {place.name}" for source in sources]
        hosts = [f"{place.name} of {index.name}" for _, index in place.of]
        hosts += [f"new of {index.name}" for _, index in place.of if self.owner(place.span)]
        single = self._single_things(node, env, where, sources)
        return (*(sources if known else ()), *routes, *hosts, *single)

    def _whose(self, thing: t.Expr, env: Env, where: Where) -> Who | None:
        """The owner of a thing: from the way it was found, else from known conditions."""
        found = self.ranges.known(thing, env).of
        tests = (*where.holds, *where.conditions)
        return found or belongs(self.rules, thing, tests, lambda node: self.ranges.who(node, env))

    def _named_after(self, node: t.Move, env: Env, where: Where) -> Who | None:
        """`owner(p).hand`: the place belongs to the owner of the thing."""
        controller = controller_of(self.rules, node.thing)
        if controller is None or not any(same(written_out(part), controller) for part in node.index):
            return None
        return self._whose(node.thing, env, where)

    def _single_things(self, node: t.Move, env: Env, where: Where, sources: list[str]) -> list[str]:
        """The things that a move can be about: by name where they are few, and by name and source."""
        kind = node.place.holds
        things = self.ranges.things(node.thing, env) or frozenset(range(1, kind.size + 1))
        numbers = self._numbers_of(node.thing, where)
        things = things & numbers if numbers is not None else things
        if len(things) > MOST_NAMED:
            return []
        names = [f"{kind.name}.{kind.things[i - 1]}" for i in sorted(things)]
        ways = [source.partition(" ")[2] for source in sources]
        return [*(names if len(names) <= 3 else ()), *(f"{name} {way}" for name in names for way in ways)]

    def _numbers_of(self, thing: t.Expr, where: Where) -> frozenset[int] | None:
        """The things that `square.piece` or the like can be, from the tests on it."""
        stands = t.Variable("it", thing.type)
        use = t.Use(thing.span, thing.type, stands)
        tests = tuple(
            replaced(test, lambda node: use if same(node, thing) else None)
            for test in conjuncts(*where.holds, *where.conditions)
        )
        return self.ranges.fitting(stands, tests)

    def shuffle(self, node: t.Shuffle, env: Env, where: Where, found: Found) -> None:
        place, keeper = node.place, self.ranges.keeper(node.place, node.index, env)
        found.occasions.append(Occasion("shuffle", node.span, place.name, where.sealed))
        if self.owner(place.span):
            return
        names = (f"shuffle {place.name}", f"{place.holds.name} into {place.name}", place.name)
        change = Change("move", names, node.span, path=where.path, goal=keeper, lay=(place.name, keeper))
        self.change(found, where, change)

    def show(self, node: t.Show, env: Env, where: Where, found: Found) -> None:
        what = node.what
        kind = what.type.kind if isinstance(what.type, ThingT | SetT) else ""
        places = self.ranges.lies_in(what, env)
        known = places or frozenset(p.name for p in self.rules.places.values() if p.holds.name == kind)
        hidden = [name for name in sorted(known) if self.rules.places[name].hidden]
        found.occasions.append(Occasion("look", node.span, " ".join(hidden), where.sealed))
        ours = [name for name in hidden if not self.owner(self.rules.places[name].span)]
        if ours:
            lay = (ours[0], self.ranges.holder(what, env))
            change = Change("look", tuple(ours), node.span, path=where.path, lay=lay)
            self.change(found, where, replace(change, goal=self.ranges.who(node.to, env)))
