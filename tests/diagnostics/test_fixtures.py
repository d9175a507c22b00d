"""Every bad chunk gets exactly the complaints written in it; every code is provoked somewhere."""

from pathlib import Path

import pytest

from ruleforge.project import pipeline
from ruleforge.support.diagnostics import Report
from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.diagnostics.render import render_text
from tests.diagnostics.fixtures import Chunk, chunks

TESTS = Path(__file__).parent.parent


@pytest.mark.parametrize("chunk", chunks(), ids=str)
def test_a_bad_chunk_gets_exactly_its_diagnostics(chunk: Chunk, tmp_path: Path):
    chunk.write(tmp_path)
    report = Report()
    loaded = pipeline.load(tmp_path, report)
    assert (loaded is None) == report.has_errors
    found = {(d.span.line, d.code): d for d in report}
    assert set(found) == chunk.expected(), render_text(report)
    for place, words in chunk.words().items():
        assert words in found[place].message
    for d in report:
        assert d.span.file.endswith("chunk.yaml"), render_text([d])
        assert not d.message.endswith(".")


def test_every_diagnostic_about_rule_files_is_expected_by_some_test():
    files = [path for path in sorted(TESTS.rglob("*")) if path.suffix in (".py", ".yaml")]
    files.append(TESTS.parent / "benchmarks" / "large_games.py")  # what test_sizes.py wants to be refused
    texts = "\n".join(path.read_text("utf-8") for path in files)
    about_files = [code for code in sorted(CODES) if code < "RF8"]
    assert [code for code in about_files if code not in texts] == []
