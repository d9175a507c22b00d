"""Very many random decisions over everything that ships: no exception, no broken invariant, no growth of memory."""
