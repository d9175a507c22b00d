"""Sessions -> tables in a browser: a page for each seat, drawn from its scene, and the server that hands them out."""
