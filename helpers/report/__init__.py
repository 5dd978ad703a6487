"""Reports: one model of what is required and what happened, and one module for each form of it.

Entry points: `model.Report`, `load`, `states` (the state of a requirement, a pure function), `write`.
`results.json` is the one source of all forms. Must not import the runner.
"""
