"""What a scenario has at hand, and what is known about it before and after it ran.

Entry points: `context.this()` (the running scenario), `marks` (@needs, @deviates, @time_limit),
`violations.assert_no_violations`, `result.ScenarioResult` (seam between a run and its reports).
Must not import the runner or the reports.
"""
