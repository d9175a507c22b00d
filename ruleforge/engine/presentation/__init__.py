"""The presentation describes the table that a seat sees, independent of any output device, and writes it as
text and HTML.
"""
