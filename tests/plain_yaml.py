"""A YAML file -> plain data, without what RuleForge makes of it: by the quick parser where PyYAML has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def data_of(file: Path) -> Any:
    return yaml.load(file.read_text("utf-8"), _LOADER)
