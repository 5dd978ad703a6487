"""Child processes on loopback, and free ports for them. No child outlives the process that started it.

Entry points: `process.start`, `ports.reserve_free`.
Must not import nodes or services.
"""
