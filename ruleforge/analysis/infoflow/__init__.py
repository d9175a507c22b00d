"""Information flow: which values, branches and questions depend on hidden information, and whose it is."""
