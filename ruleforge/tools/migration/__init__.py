"""Files of an older version of the rule language -> the same files in the present one, with comments and layout."""
