"""Stage 2: SourceTree -> complaints about shape."""

from ruleforge.lang.schema.validate import schema_of, validate, validate_file

__all__ = ["schema_of", "validate", "validate_file"]
