"""The commands of the front door beside the run itself."""
