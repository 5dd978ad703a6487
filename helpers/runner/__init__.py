"""Runs scenarios: discovery and selection, a supervisor that assigns jobs, workers that execute them.

Entry points: `run.Run.execute` (a result for each job), `discovery.load`, `selection.select`.
Must not import the reports: a command brings runs and reports together.
"""
