"""Checked rules -> all that is compiled from them: one owner of variants, options, caches and the author's words."""
