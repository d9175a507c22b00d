"""The version of the rule language that files are written in: the key `language` of `game` and of `pack`."""

from __future__ import annotations

from ruleforge.lang.model.read_fields import whole_number
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SourceTree
from ruleforge.support.diagnostics import Report

KEY = "language"
LANGUAGE = 1  # the newest version; of files that name none, the oldest


def version_node(tree: SourceTree, head: str) -> ScalarNode | None:
    """The node with the version of the files, if there is one."""
    for section in tree.sections(head):
        node = section.value.get(KEY) if isinstance(section.value, MappingNode) else None
        if isinstance(node, ScalarNode):
            return node
    return None


def is_newer(tree: SourceTree, head: str, report: Report) -> bool:
    """Whether files have a version newer than this program; no other content can be trusted then."""
    node = version_node(tree, head)
    if node is None or not node.text.isdecimal():
        return False
    version = whole_number(node.text)
    if version is not None and version <= LANGUAGE:
        return False
    shown = node.text if len(node.text) < 20 else f"{node.text[:8]}…"
    message = f"these rules are written in version {shown} of the language; this RuleForge knows {LANGUAGE}"
    report.add("RF350", message, node.span, "install a newer RuleForge: `pip install --upgrade ruleforge`")
    return True
