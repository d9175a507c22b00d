"""What a seat sees -> a description of the table that knows no output device, and its text and HTML."""
