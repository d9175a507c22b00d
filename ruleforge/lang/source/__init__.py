"""Stage 1: reads a folder into a SourceTree, text with positions."""

from ruleforge.lang.source.folder import read_folder
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.lang.source.tree import (
    Entry,
    MappingNode,
    ScalarNode,
    SequenceNode,
    SourceFile,
    SourceNode,
    SourceTree,
)
from ruleforge.lang.source.yaml_reader import read_yaml, read_yaml_file

__all__ = [
    "Entry",
    "MappingNode",
    "ScalarNode",
    "SequenceNode",
    "SourceFile",
    "SourceNode",
    "SourceText",
    "SourceTree",
    "read_folder",
    "read_yaml",
    "read_yaml_file",
]
