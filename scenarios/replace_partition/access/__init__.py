"""Who may replace a partition, and which rows a policy hides."""
