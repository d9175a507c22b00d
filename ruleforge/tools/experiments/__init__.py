"""Many games -> what they came to: counts, measures, files, a page, and whether a pack is in balance."""
