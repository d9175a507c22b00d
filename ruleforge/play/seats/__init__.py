"""A session and one seat at it -> who sits there, what is said and what it means, what is told; on whatever device."""
