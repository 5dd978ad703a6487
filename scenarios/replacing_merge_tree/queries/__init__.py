"""Queries over ReplacingMergeTree: on shards, on replicas, next to writes, by users with few grants."""
