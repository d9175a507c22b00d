"""The engine turns compiled rules into games, states, choices, events and views. This is the Python API.

- `state` holds one position; `choice`, `events` and `outcome` are what it gives.
- `visibility` decides what each seat sees and learns.
- `presentation` arranges what a seat sees into a scene, as text and HTML.
- `why`, `explain` and `evaluate` answer questions about a position.

Other rooms use the public classes, `presentation` and `errors`. Read first: `game`, `state`, `visibility`.
"""
