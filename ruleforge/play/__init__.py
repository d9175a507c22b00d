"""Play: sessions with history, agents, log sentences, and seats.

Other rooms use `session`, `timeline`, `journal`, `record`, `agents`, `narration` and `seats`.

Read first: `session`, `agents/agent`, `narration/narrator`.
"""
