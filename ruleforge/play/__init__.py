"""Play: a game -> sessions with history, agents that choose, sentences of what happened, and seats.

Other rooms use `session`, `timeline`, `journal`, `record`, `agents`, `narration` and `seats`.

Read first: `session`, `agents/agent`, `narration/narrator`.
"""
