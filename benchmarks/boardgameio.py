"""boardgame.io in a Node process of its own, installed once into benchmarks/.cache and asked over a pipe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

VERSION = "0.50.2"
HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache" / "boardgameio"
INSTALL_SECONDS = 180


class Absent(Exception):
    """boardgame.io cannot be measured here; the message says why."""


def install() -> Path:
    """The folder of installed packages, filled on first use."""
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Absent(f"`{tool}` is not on this machine")
    modules = CACHE / "node_modules"
    if not (modules / "boardgame.io").is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        (CACHE / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        command = ["npm", "install", "--no-audit", "--no-fund", "--silent", f"boardgame.io@{VERSION}"]
        try:
            subprocess.run(command, cwd=CACHE, check=True, timeout=INSTALL_SECONDS, capture_output=True)
        except (subprocess.SubprocessError, OSError) as problem:
            raise Absent(f"`npm install boardgame.io` did not work ({type(problem).__name__})") from problem
    return modules


class Server:
    """The running Node process; `rate(game, seconds)` is playouts per second."""

    def __init__(self) -> None:
        environment = {**os.environ, "NODE_PATH": str(install()), "NODE_ENV": "production"}
        self._process = subprocess.Popen(
            ["node", str(HERE / "boardgameio" / "playouts.cjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def rate(self, game: str, seconds: float) -> float:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{game} {seconds}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise Absent("the Node process stopped")
        measured = json.loads(answer)
        return float(measured["games"] / measured["seconds"])

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=10)
