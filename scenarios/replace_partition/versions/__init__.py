"""One data folder under servers of different versions."""
