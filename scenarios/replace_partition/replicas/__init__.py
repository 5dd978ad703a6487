"""REPLACE PARTITION on several servers: replicas and shards."""
