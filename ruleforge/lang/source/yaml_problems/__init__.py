"""A YAML parser's complaint -> what an author did, in an author's words, and the edit that takes it back."""
