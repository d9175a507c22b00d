"""Games as tools of the Model Context Protocol: a language model takes a seat."""
