"""Front ends: commands, the console game, the author's console, tables in a browser, the language server.

Only `cli` starts the others. Front ends print and read; all answers come from the rooms below. Read first: `cli/main`,
`console/console_game`, `web/server`.
"""
