"""The verbs that scenarios are written in.

Verbs of all features are modules here (`tables`, `partitions`, `parts`, `refusals`, `restarts`, `outages`
…); verbs of one feature are in the folder of its name.
A verb asks `this()` for its node and, if it acts, is a `@step` of TestFlows' log.
Must not import scenarios.
A verb that checks something is tested in tests/steps.
"""
