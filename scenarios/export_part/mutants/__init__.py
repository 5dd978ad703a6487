"""What a broken server could do to exports (helpers/sensitivity)."""
