"""The wheel works where there is no checkout: built, installed alone, and used from an empty folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ("grammar", "schemas", "rulesets", "examples", "docs/diagnostics")

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed, run without anything that leads back to the checkout."""
    environment = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    }
    environment["XDG_CACHE_HOME"] = str(cwd / "cache")
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{command} failed\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment with nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False)
    commands = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    # Our own pip does it, and modules are compiled when they are imported: most never are.
    pip = (sys.executable, "-m", "pip", "--python", commands / "python")
    run(*pip, "install", "--quiet", "--no-compile", wheel, cwd=folder)
    return commands


def test_data_is_inside_the_wheel(wheel: Path):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in DATA:
        for file in (ROOT / folder).rglob("*"):
            if file.is_file():
                assert f"ruleforge/_data/{file.relative_to(ROOT).as_posix()}" in inside
    assert not [name for name in inside if name.startswith(("tests/", "benchmarks/"))]


def test_an_installed_package_plays_outside_a_checkout(installed: Path, tmp_path: Path):
    place = run(installed / "python", "-c", "import ruleforge; print(ruleforge.__file__)", cwd=tmp_path)
    assert not place.startswith(str(ROOT))
    listed = run(installed / "ruleforge", "games", cwd=tmp_path)
    for game in sorted(path.name for path in (ROOT / "examples").iterdir() if (path / "game.yaml").exists()):
        assert game in listed
    played = run(
        installed / "ruleforge",
        "simulate",
        "connect-four",
        "--games",
        "5",
        "--seed",
        "1",
        "--json",
        cwd=tmp_path,
    )
    assert json.loads(played)["games"] == 5


def test_an_installed_package_reports_mistakes_in_rules(installed: Path, tmp_path: Path):
    shutil.copytree(ROOT / "examples" / "tic-tac-toe", tmp_path / "mine")
    file = tmp_path / "mine" / "game.yaml"
    file.write_text(file.read_text("utf-8") + "\nactoins: {}\n", "utf-8")
    command = [str(installed / "ruleforge"), "validate", "mine"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "error[RF201]: unknown key `actoins`" in done.stdout + done.stderr
