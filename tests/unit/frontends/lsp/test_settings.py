"""What is said about editors is right as far as it can be seen without them."""

from __future__ import annotations

import json
import re
import tomllib

from tests.documents import ROOT

PAGE = (ROOT / "docs" / "how-to" / "editor.md").read_text("utf-8")


def test_the_extension_starts_the_server():
    folder = ROOT / "editors" / "vscode"
    package = json.loads((folder / "package.json").read_text("utf-8"))
    script = (folder / package["main"]).read_text("utf-8")
    assert 'args: ["lsp"]' in script
    assert all(name in package["dependencies"] for name in re.findall(r'require\("(vscode-\w+)', script))


def test_the_settings_start_the_server():
    blocks = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    (helix,) = (block for block in blocks if block.startswith("[language-server"))
    server = tomllib.loads(helix)["language-server"]["ruleforge"]
    assert [server["command"], *server["args"]] == ["ruleforge", "lsp"]
    others = [block for block in blocks if block.startswith(("return {", "(with-eval"))]
    assert len(others) == 2
    assert all(re.search(r'"ruleforge",? "lsp"', block) for block in others)
