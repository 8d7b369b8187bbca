"""One module for each region's game. A module here that has a `RULESET` is a game; nothing else registers it."""
