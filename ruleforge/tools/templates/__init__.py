"""New folders to start from: what is in them."""
