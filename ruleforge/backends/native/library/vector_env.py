"""Step many games together.

The rows lie one behind the other in the pool. Behind them lie words about each row (`backends/vector_env.py`)
and two lists of all choices. The games choose from one list while the other is built.

Each call does a bounded amount of work and continues where the last one stopped.
"""

from typing import TYPE_CHECKING

from ruleforge.backends.native.library.chance import draw
from ruleforge.backends.native.library.playouts import begin_game, end_game

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import at, copy, copy_row, list_begin, load, rules, store


def first_bad_pick() -> int:
    """The first environment in which a choice is wanted that its list does not have; -1: none."""
    env = 0
    head = load(at.heads)
    while env < load(at.envs):
        if load(head + at.count) > 0 and load(head + at.pick) >= load(head + at.count):
            return env
        env += 1
        head += at.head_bytes
    return -1


def begin_envs(budget: int) -> int:
    """Begin the next game in a number of environments. Returns 1 when all have begun."""
    return each_env(budget, 1)


def step_envs(budget: int) -> int:
    """Make a choice in a number of environments. Returns 1 when all have made it."""
    return each_env(budget, 0)


def each_env(budget: int, anew: int) -> int:
    rules.trust(at.start)
    env = load(at.env)
    envs = load(at.envs)
    while env < envs and budget > 0:
        head = load(at.heads) + env * at.head_bytes
        row = at.pool + env * at.row_bytes
        if anew or load(head + at.pick) == -3:
            count = begin_env(head, row)
            store(head + at.over, 0)
            if count <= 0 and not load(at.again):
                count = end_env(head, row, count)
            put_list(head, row, count, list_begin())
        elif load(head + at.count) > 0 and load(head + at.pick) == -2:
            store(head + at.over, 0)
            put_list(head, row, load(head + at.count), load(at.listed) + 4 * load(head + at.first))
        else:
            count = step_env(head, row)
            put_list(head, row, count, list_begin())
        env += 1
        budget -= 1
    store(at.env, env)
    return env == envs


def begin_env(head: int, row: int) -> int:
    """The next game of an environment; gives how many choices there are."""
    game = load(head + at.game) + load(at.envs)
    store(head + at.game, game)
    store(at.next_game, game)
    count = begin_game()
    copy_row(row, at.play)
    copy(head + at.own_generator, at.generator, 8)
    store(head + at.own_made, 0)
    return count


def step_env(head: int, row: int) -> int:
    count = load(head + at.count)
    made = load(head + at.own_made)
    if count > 0:
        pick = load(head + at.pick)
        if pick < 0:
            pick = draw(head + at.own_generator, count)
        count = rules.attempt(row, load(load(at.listed) + 4 * (load(head + at.first) + pick)))
        made += 1
        store(head + at.own_made, made)
        store(head + at.over, 0)
    elif not load(at.again):
        return count
    if count <= 0 or made >= load(at.most):
        count = end_env(head, row, count)
        if load(at.again):
            count = begin_env(head, row)
    return count


def end_env(head: int, row: int, count: int) -> int:
    """Record the result of a game. Its row stays unchanged, because queries use the step budget of the row."""
    copy_row(at.play, row)
    store(at.made, load(head + at.own_made))
    store(at.broken, 0)
    end_game(head + at.record, count)
    store(head + at.over, 1)
    return 0


def put_list(head: int, row: int, count: int, choices: int) -> None:
    """Append the list of choices to those of the environments before."""
    store(head + at.count, count)
    end = load(at.fresh_end)
    store(head + at.first, (end - load(at.fresh)) >> 2)
    if count <= 0:
        store(head + at.decides, -1)
        store(head + at.waits_at, 0)
        return
    store(head + at.decides, load(row + at.who))
    store(head + at.waits_at, load(row + at.site))
    if end + 4 * count > load(at.fresh_room):
        rules.stop(at.backend_faults)
    copy(end, choices, 4 * count)
    store(at.fresh_end, end + 4 * count)


def observe_envs(budget: int) -> int:
    """Write the observation of the given viewer in a number of environments. Returns 1 when all are done."""
    env = load(at.env)
    envs = load(at.envs)
    while env < envs and budget > 0:
        head = load(at.heads) + env * at.head_bytes
        to = load(at.seen) + env * at.seen_bytes
        viewer = load(head + at.pick)
        if viewer <= 0 or stopped(head):
            hide(to)
        else:
            row = at.pool + env * at.row_bytes
            work = load(row + at.work_done)
            rules.observe(row, viewer)
            store(row + at.work_done, work)
            copy(to, list_begin(), at.seen_bytes)
        env += 1
        budget -= 1
    store(at.env, env)
    return env == envs


def stopped(head: int) -> int:
    """Whether a fault has spoilt the row."""
    count = load(head + at.count)
    return count < 0 or (count == 0 and load(head + at.over) and load(head + at.record) < 0)


def hide(to: int) -> None:
    end = to + at.seen_bytes
    while to < end:
        store(to, -2147483648)
        to += 4
