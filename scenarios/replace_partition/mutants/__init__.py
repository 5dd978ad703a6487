"""What a broken server could do to REPLACE PARTITION (helpers/sensitivity)."""
