"""Drawing histories with Hypothesis, shrinking those that differ, and running workers until the time is over.

Entry points: `run`, `search`, `profiles`.
"""
