"""Tables in the browser: a page for each seat, drawn from its scene, and the server."""
