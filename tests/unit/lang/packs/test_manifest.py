"""A pack says in its manifest what it is."""

from __future__ import annotations

from pathlib import Path

from ruleforge.project.resolver import analyse


def test_a_pack_without_a_pack_section_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("numbers: {most: 3}\n", "utf-8")
    assert "RF332" in [d.code for d in analyse("nim", [tmp_path]).diagnostics]
