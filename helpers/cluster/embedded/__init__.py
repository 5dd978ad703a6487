"""The default environment: ClickHouse out of the wheel chdb-core, a process for each node.

Entry points: `cluster.EmbeddedCluster`, `node.EmbeddedNode`; `server.py` is the program of a node.

- The wheel carries the whole server behind a library. `server.py` loads the extension and runs one query,
  which opens the native and HTTP listeners and then sleeps on `system.numbers`. A stop kills that query, and
  the server shuts down in order. This gives a real server in 0.2 to 0.3 seconds.
- The session inside the process has to be `default` without a password. So `default` may open listeners,
  sleep, and nothing else, and it may have one session. Another user with a random password does the work.
- Known weaknesses: no replication, SQL users or transactions. Each is a capability with a probe.
"""
