"""ClickHouse over HTTP: statements, types, and the Spark data source that reads and writes tables.

Entry points: `server.Server`, `data_source.read_table`, `read_query`, `write_table`, `types`.
"""
