"""`--env binary`: servers started from a given ClickHouse binary, with ZooKeeper or Keeper for replicas.

Entry points: `cluster.BinaryCluster`, `node.BinaryNode`.
"""
