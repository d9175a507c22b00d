"""Effects: what each definition changes, emits, listens to, pays, rolls, asks and looks at."""
