"""Groups of commands that suggest the intended command."""

from __future__ import annotations

import click

# Words for a command that are not written like it.
_MEANT = {"pack": "expansion", "addon": "expansion", "ruleset": "game", "check": "validate", "format": "fmt"}


class Suggesting(click.Group):
    """Names the nearest command where there is none of that name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = _hint(args[0], self.list_commands(ctx))
            raise click.UsageError(
                f"there is no command `{args[0]}`" + (f"; {hint}" if hint else ""), ctx
            ) from error


def _hint(name: str, known: list[str]) -> str | None:
    from ruleforge.support.spelling import did_you_mean

    meant = _MEANT.get(name)
    return f"did you mean `{meant}`?" if meant in known else did_you_mean(name, known)
