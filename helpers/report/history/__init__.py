"""Many runs of the same environment in the order of time: what broke when, what is flaky, what is slow.

Entry points: `runs`, `page`.
"""
