"""Runs scenarios: discovery and selection, a supervisor that assigns jobs, workers that execute them.

Entry points: `run.Run.execute` (a result for each job), `discovery.load`, `selection.select`.
Must not import the reports: a command brings runs and reports together.

- The supervisor sends one job at a time (a scenario, and its mutant, if any) over a pipe and receives events
  over another. A worker that dies loses one job, which ends as an Error with the last lines of the worker.
- A scenario that runs out of time is asked for its stack, then killed with its servers.
- Processes that a scenario leaves running are found in any session (`leftovers.py`) and ended: an Error.
- Scenarios that may take longest start first, so that no worker waits for a long one in the end.
"""
