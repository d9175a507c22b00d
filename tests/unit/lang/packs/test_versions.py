"""Ranges of versions that a pack is written for."""

import pytest

from ruleforge.lang.packs.assembly import fits


@pytest.mark.parametrize(
    ("version", "versions", "expected"),
    [
        ("1.0", "1.0", True),
        ("1.0.0", "1.0", True),
        ("1.0.1", "1.0", False),
        ("1.0.1", "1.0.x", True),
        ("1.7", "1.x", True),
        ("2.0", "1.x", False),
        ("10.0", "1.x", False),
        ("0.5", "0.5 to 0.9", True),
        ("0.9.3", "0.5 to 0.9", True),
        ("0.10", "0.5 to 0.9", False),
        ("0.4", "0.5 to 0.9", False),
        ("1", "0.5 to 1.2", True),
        ("0.2a", "0.2a", True),
        ("0.2a", "0.2", False),
        ("0.2a", "0.x", True),
        ("0.2a", "0.2 to 0.3", True),
        ("0.2b", "0.1 to 0.2a", False),
    ],
)
def test_a_version_in_a_range(version, versions, expected):
    assert fits(version, versions) is expected
