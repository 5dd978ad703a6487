"""Compares rows of ClickHouse with rows of Spark: a fingerprint that both compute, then the rows that differ.

Entry points: `oracle`, `fingerprint`.
"""
