"""What the environments `embedded` and `binary` share: a node that is a process on loopback, and its files.

Entry points: `cluster.LocalCluster`, `node.LocalNode`, `configuration`.
"""
