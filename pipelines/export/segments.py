"""Split a part into segments, one for each task, and choose the sizes of their uploads."""

from __future__ import annotations

import math

from pipelines.export.encoding import ROW_GROUP
from pipelines.export.options import Options
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.source import Part
from pipelines.export.transfer.retries import TRIES
from pipelines.export.transfer.upload import (
    CHUNKS_OF_SMALL_FOOTER,
    HELD_BACK,
    MOST_PARTS,
    SMALL_FOOTER,
    SMALLEST_PART,
    SPARK_ATTEMPTS,
    Segment,
)
from pipelines.s3.store import PART, Pending

MOST_SEGMENTS = 64
MOST_ROWS_OF_SMALL = 4_000_000


def segments_of(part: Part, options: Options) -> int:
    """The number of tasks of a part."""
    return max(1, min(math.ceil(part.rows / options.rows_per_task), MOST_SEGMENTS))


def split(
    plan: Plan,
    planned: PlannedPart,
    upload: Pending,
    options: Options,
    at_once: int,
) -> list[Segment]:
    """Ranges of the part's rows; `at_once` is how many tasks of the whole export run at a time."""
    part = planned.part
    count = segments_of(part, options)
    step = max(1, math.ceil(part.rows / count))
    settings = {**plan.encoding, **plan.snapshot.settings, **options.settings}
    chunks = math.ceil(step / max(1, int(settings.get(ROW_GROUP, 1)))) * len(plan.columns)
    part_size, held_back = upload_sizes(part, step, count, chunks)
    segments = []
    for number in range(count):
        within = f" AND _part_offset >= {number * step} AND _part_offset < {(number + 1) * step}"
        sql = f"{planned.select}{within if count > 1 else ''} FORMAT Parquet"
        segments.append(
            Segment(
                server=plan.server,
                statement=plan.server.prepare(sql, settings),
                store=plan.destination.store,
                upload=upload,
                first_number=1 + number * (MOST_PARTS - 1) // count,
                numbers=(MOST_PARTS - 1) // count,
                part_size=part_size,
                held_back=held_back,
                is_all=count == 1,
                bandwidth=options.bandwidth / at_once,
            )
        )
    return segments


def upload_sizes(part: Part, rows: int, segments: int, chunks: int) -> tuple[int, int]:
    """The size of the parts of a segment's upload, and how many bytes of its end are held back."""
    numbers = (MOST_PARTS - 1) // segments // (SPARK_ATTEMPTS * TRIES)
    needed = math.ceil(1.5 * part.compressed / segments / numbers)
    size = max(SMALLEST_PART if rows <= MOST_ROWS_OF_SMALL else PART, needed)
    if chunks > CHUNKS_OF_SMALL_FOOTER:
        return size, HELD_BACK
    # What is left in the end must be enough for a part, where other segments follow.
    return size, SMALL_FOOTER + (SMALLEST_PART if segments > 1 else 0)
