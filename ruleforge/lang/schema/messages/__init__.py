"""Messages about shape in an author's words: one module for each sort of finding."""
