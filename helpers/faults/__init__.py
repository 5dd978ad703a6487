"""Faults between a server and what it depends on, made on purpose and healed at the end of a block.

Entry points: `s3_proxy.S3FaultProxy` (fails, delays or cuts chosen requests), `exact_store.ExactStore` (a
store in memory that keeps every name as it is), `wiretap.Wiretap` (records what others on the way could
read).
Must not import runner or reports. Each of them listens on loopback, in a thread of the worker.
Known weakness: the proxy knows the requests of S3 by method, path and query only.
"""
