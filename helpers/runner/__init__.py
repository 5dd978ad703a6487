"""Plan, run, supervise: from a pattern on the command line to an honest exit code."""
