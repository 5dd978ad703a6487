"""How ClickHouse encodes what is exported: the settings of its Parquet files."""

from __future__ import annotations

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal

ROW_GROUP = "output_format_parquet_row_group_size"
ENCODING: dict[str, str | int] = {
    "output_format_parquet_compression_method": "zstd",
    # A fifth less work than level 3, for files of the same size.
    "output_format_compression_level": 1,
    # They would take half of the time and 40 % of the file; who looks up single values turns them on.
    "output_format_parquet_write_bloom_filter": 0,
    # Which lie where they cannot be moved from.
    "output_format_parquet_write_page_index": 0,
    # Else points and polygons are written as GeoParquet, which neither pyarrow nor DuckDB can open.
    "output_format_parquet_geometadata": 0,
    ROW_GROUP: 1_000_000,
}


def encoding(server: Server) -> dict[str, str | int]:
    """Those of the settings that the server knows: an older one does not write what it cannot leave out."""
    listed = ", ".join(map(literal, ENCODING))
    known = server.rows(f"SELECT name FROM system.settings WHERE name IN ({listed})")
    return {name: value for name, value in ENCODING.items() if [name] in known}
