"""Which rows survive: merges, FINAL, deletions, histories."""
