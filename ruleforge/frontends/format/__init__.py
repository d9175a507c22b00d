"""Rule files in canonical form: every effect text as the printer writes it, everything else untouched."""
