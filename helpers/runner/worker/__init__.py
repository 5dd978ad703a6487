"""A worker: a TestFlows program with a cluster of its own, which executes the jobs that it is sent.

Entry point: `program.main`. `trace` follows the steps of a scenario, `outcome` converts TestFlows' result.
Only `trace` and `runner.discovery` patch TestFlows.
"""
