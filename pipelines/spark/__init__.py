"""Spark: the one session of a process, where it runs, the Java that it runs on, and its errors in one line.

Entry points: `session.spark_session`, `standalone` (a cluster on loopback), `java.find_java`.
Must not import data sources.
"""
