"""What source and destination must have in common."""
