"""What servers depend on, as processes on loopback: object store, HDFS, ZooKeeper, Keeper, certificates.

Entry points: `seaweed.SeaweedStore`, `hdfs.LocalHdfs`, `zookeeper`, `keeper`.
Must not import an environment.
"""
