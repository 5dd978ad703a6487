"""Parts that become several files: what their commit file says of them."""

from __future__ import annotations

import json
from typing import Any

from steps.export_part.exports import Lake


def commit_of(lake: Lake, path: str) -> dict[str, Any]:
    """What the only commit file below a path says."""
    (key,) = (key for key in lake.keys("", path=path) if "/_commit_" in f"/{key}")
    return dict(json.loads(lake.store.store().get(lake.bucket, lake.filename(key)) or b""))


def rows_in_each_file(lake: Lake, path: str) -> list[int]:
    """How many rows a reader finds in each file below a path, most rows first."""
    arguments = lake.s3(f"{path}/**.parquet")
    found = lake.node.column(f"SELECT count() FROM s3({arguments}) GROUP BY _path ORDER BY 1 DESC")
    return [int(count) for count in found]
