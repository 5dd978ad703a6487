"""Verbs for hive-partitioned data: folders of a store, queries over them, inserts into them."""
