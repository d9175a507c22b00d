"""Complaints: one finding of jsonschema -> one complaint in an author's words; a module a sort of finding."""
