"""What a broken server could do to ReplacingMergeTree (helpers/sensitivity)."""
