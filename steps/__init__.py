"""The verbs that scenarios are written in."""
