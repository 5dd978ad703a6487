"""`--env remote`: servers that run already. A run removes what it creates there.

Entry points: `cluster.RemoteCluster`, `url.parse`, `leftovers`.
Known weakness: such a server cannot be stopped, killed or configured; scenarios that need that are skipped.
"""
