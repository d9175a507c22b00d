"""Contracts of locked cores: what packs may do, as data, and the machine that judges packs by it."""
