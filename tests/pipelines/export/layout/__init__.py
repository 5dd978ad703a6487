"""Where files of an export lie and how they are called."""
