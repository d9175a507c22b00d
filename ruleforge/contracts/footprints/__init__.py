"""Footprints: what each rule of a pack changes, emits, listens to, pays, rolls, asks and looks at."""
