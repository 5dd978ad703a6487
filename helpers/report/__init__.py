"""Reports: one model of what is required and what happened, and its renderings."""
