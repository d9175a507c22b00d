"""Puts the folders of data (grammar, schemas, games, pages on diagnostics) into the wheel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("grammar", "schemas", "rulesets", "examples", "docs/diagnostics")


class DataFolders(BuildHookInterface):  # type: ignore[misc, unused-ignore]
    """An installed package finds under `ruleforge/_data` what a checkout has at its top."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install reads the checkout itself; a second copy would go stale.
        if version == "editable":
            return
        root = Path(self.root)
        for folder in FOLDERS:
            for file in sorted((root / folder).rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    inside = file.relative_to(root).as_posix()
                    build_data["force_include"][str(file)] = f"ruleforge/_data/{inside}"
