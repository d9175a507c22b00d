"""How properties are tried: the same examples every time where a result must be comparable, new ones elsewhere."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("comparable", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("comparable")
