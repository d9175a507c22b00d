"""`ruleforge pack`: writes a pack as one file."""

from __future__ import annotations

from pathlib import Path

import click

from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import OutFile
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.support.output_files import write_bytes
from ruleforge.support.spelling import counted
from ruleforge.tools.pack_builder import build_pack


@click.command("pack")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option(
    "--out", type=OutFile(), default=None, metavar="FILE", help="The file to write; else ID-VERSION.zip here."
)
@click.option("--json", "as_json", is_flag=True, help="Print for programs what was packed.")
@colour_option
def command(folder: Path, out: Path | None, as_json: bool) -> None:
    """Write a pack as one file that others can use: `--with FILE` takes it, `ruleforge install FILE` keeps it.

    The file holds rules, scenarios, the rulebook and texts. It says which game and versions it is for, and what the
    game was like. The same files always give the same archive.

    \b
    Example:
      ruleforge pack my-pack
      ruleforge pack my-pack --out my-pack.zip --json
    """
    try:
        built = build_pack(folder)
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(1)
    archive, path = built.archive, out or OutFile().convert(built.name, None, None)
    write_bytes(path, built.content)
    core = archive.manifest["core"]
    if as_json:
        words = {key: archive.manifest[key] for key in ("id", "title", "version", "needs")}
        where = {"id": core["id"], "versions": core["versions"], "version": core["version"]}
        print_json(
            {
                "file": str(path),
                **words,
                "core": where,
                "digest": archive.digest,
                "files": sorted(archive.files),
            }
        )
        return
    files = counted(len(archive.files), "file")
    say(
        f"packed {archive.id} {archive.manifest['version']} for {core['id']} {core['versions']}: {files}, {path}"
    )
    say(f"digest {archive.digest}")
