"""Register the shipped games with Gymnasium and PettingZoo, as `ruleforge/NAME`."""

from __future__ import annotations

from ruleforge.support.resources import shipped_games


def register_gymnasium() -> None:
    """The entry point that Gymnasium calls when it is imported.

    Gymnasium adds the prefix `ruleforge/` itself.
    """
    from gymnasium.envs.registration import register

    for name in shipped_games():
        register(
            name,
            entry_point="ruleforge.rl:gymnasium_env",
            vector_entry_point="ruleforge.rl:gymnasium_vector_env",
            kwargs={"game": name},
            disable_env_checker=True,
        )


def register_pettingzoo() -> None:
    """Register the games with PettingZoo.

    It has no entry points, so call this before you make games by name.
    """
    from pettingzoo.env_registry import registration

    makers = {"aec": "pettingzoo_env", "parallel": "pettingzoo_parallel_env"}
    known = {"aec": registration.aec_registry, "parallel": registration.parallel_registry}
    for kind, maker in makers.items():
        for name in shipped_games():
            if f"ruleforge/{name}" not in known[kind]:
                point = f"ruleforge.rl:{maker}"
                registration.register(kind, f"ruleforge/{name}", entry_point=point, kwargs={"game": name})
