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


def test_the_package_itself_wants_next_to_nothing():
    script = "import sys, ruleforge; print(*(m for m in sys.modules if m.startswith('ruleforge')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ruleforge"]


def test_all_that_is_promised_is_there():
    import ruleforge

    assert all(getattr(ruleforge, name) is not None for name in ruleforge.__all__)
    assert set(ruleforge.__all__) <= set(dir(ruleforge))
    assert not hasattr(ruleforge, "nothing_of_this_name")
