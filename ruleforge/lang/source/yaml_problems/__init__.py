"""Explains errors of the YAML parser in an author's words, with a fix."""
