"""What the commands of ./regression.py do."""
