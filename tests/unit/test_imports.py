"""What takes long to import comes in when it is wanted."""

import subprocess
import sys

DEAR = {"jsonschema", "networkx", "numpy", "rich", "wasmtime", "prompt_toolkit", "click"}


def test_the_package_and_a_sound_game_want_nothing_dear():
    script = (
        "import sys, ruleforge; ruleforge.analyse('nim'); print(*{m.partition('.')[0] for m in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert DEAR & set(done.stdout.split()) == set()
