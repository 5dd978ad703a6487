"""What is in the folder of a part: compact, wide, packed, compressed, self-contained."""
