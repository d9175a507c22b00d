"""Stage 2: checks the shape of a SourceTree."""

from ruleforge.lang.schema.validate import schema_of, validate, validate_file

__all__ = ["schema_of", "validate", "validate_file"]
