"""Every ruleset as a standard environment of PettingZoo, Gymnasium and OpenSpiel (extra `rl`)."""
