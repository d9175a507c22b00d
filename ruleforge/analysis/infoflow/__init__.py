"""Information flow: the hidden information on which values, branches and questions depend, and its owner."""
