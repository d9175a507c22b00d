"""`ruleforge install`: installs packs, which are then found by their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import click

from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.project.installed_packs import install, installed_packs, is_installed, place_of
from ruleforge.project.pack_archive import NotAnArchive, PackArchive, read_archive
from ruleforge.support.diagnostics import NOWHERE, Diagnostic
from ruleforge.support.input_files import is_there


@click.command("install")
@click.argument("files", type=click.Path(path_type=Path), metavar="[FILE]...", nargs=-1)
@click.option("--replace", is_flag=True, help="Take the place of another version of the pack.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print for programs what was installed, or what there is."
)
@colour_option
def command(files: tuple[Path, ...], replace: bool, as_json: bool) -> None:
    """Keep packs that came as a file: `--with NAME` finds them. Without FILE, list those that are kept.

    A file is checked before anything is written, and runs no code. To remove a pack, delete its file in the list.

    \b
    Example:
      ruleforge install my-pack.zip
      ruleforge install my-pack.zip --replace --json
      ruleforge install
    """
    if not files:
        _list(as_json)
        return
    found = [(file, *_read(file)) for file in files]  # nothing is written unless all can be
    results = [_install(archive, place, replace) for _, archive, place in found]
    if as_json:
        print_json(results)
    for one in results if not as_json else ():
        say(f"{one['how']} {one['id']} {one['version']} for {one['core']}: {one['file']}")


def _read(file: Path) -> tuple[PackArchive, Path]:
    try:
        archive = read_archive(file)
    except NotAnArchive as problem:
        _refuse(f"`{file}` is no pack: {problem}")
    place = place_of(archive)
    if place is None:
        _refuse("there is no folder for packs", "set RULEFORGE_PACKS to one")
    return archive, place


def _install(archive: PackArchive, place: Path, replace: bool) -> dict[str, Any]:
    there = is_there(place)
    same = there and is_installed(archive, place)
    if there and not same and not replace:
        _refuse(
            f"there is another `{archive.id}` for `{archive.core}` at {place}",
            "take its place with --replace",
        )
    if not same:
        install(archive, place)
    how = "already there" if same else "replaced" if there else "installed"
    version = archive.manifest["version"]
    return {
        "how": how, "id": archive.id, "version": version, "core": archive.core,
        "digest": archive.digest, "file": str(place),
    }  # fmt: skip


def _list(as_json: bool) -> None:
    found = [(core, name, file) for core, packs in installed_packs().items() for name, file in packs.items()]
    if as_json:
        print_json([{"id": name, "core": core, "file": str(file)} for core, name, file in found])
    elif not found:
        say("no packs are installed")
    else:
        for core, name, file in found:
            say(f"{name} for {core}: {file}")


def _refuse(message: str, help: str | None = None) -> NoReturn:
    print_diagnostics([Diagnostic("RF845", message, NOWHERE, help)])
    leave(1)
