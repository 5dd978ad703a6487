"""Statements on their way to a server: sessions, queries, background statements, and the record of them all.

Entry points: `queries.Queries` (what a node can be asked), `session.Session` (one connection),
`recording.Recorder`, `tampering.INTERCEPTOR` (the one place where a statement or its answer can be changed).
Must not import a node, a cluster or an environment.
"""
