"""The supervisor: starts workers, assigns queued jobs, watches time limits, and loses no result.

Entry point: `supervisor.Supervisor`.
"""
