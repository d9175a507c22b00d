"""How tests are run: with the same examples each time where results must be comparable, and Ctrl-C is heard."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from hypothesis import settings

settings.register_profile("comparable", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("comparable")

# Started in the background, tests would ignore Ctrl-C, and so would the programs that they start and end by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    with suppress(ValueError):  # not the main thread, which alone may say so
        signal.signal(signal.SIGINT, signal.default_int_handler)
