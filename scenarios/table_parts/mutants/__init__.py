"""What a broken server could do to parts (helpers/sensitivity)."""
