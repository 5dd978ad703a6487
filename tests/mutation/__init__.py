"""Mutation of our own Python: `python -m tests.mutation` changes one expression at a time and runs the tests.

`modules` says which tests touch which module, `mutants` makes the changes, `__main__` runs and reports.
"""
