"""Split a file of a part into segments, one for each task, and choose the sizes of their uploads."""

from __future__ import annotations

import math

from pipelines.export.encoding import ROW_GROUP
from pipelines.export.errors import ExportRefused
from pipelines.export.files.uploads import RowRange, row_ranges
from pipelines.export.options import Options
from pipelines.export.plan import Plan, PlannedPart
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

MOST_SEGMENTS, MOST_FILES = 64, 1_000
MOST_ROWS_OF_SMALL = 4_000_000


def files_of(planned: PlannedPart, options: Options, limit: int = 0) -> list[RowRange]:
    """The files of a part, as far as their sizes are known before; each has at most `limit` rows."""
    part = planned.part
    limits = [options.rows_per_file, limit]
    if options.bytes_per_file and part.compressed > options.bytes_per_file and not limit:
        limits.append(math.ceil(part.rows * options.bytes_per_file / part.compressed))
    most = min(filter(None, limits), default=0)
    if most and part.rows > most * MOST_FILES:
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"{part.name} of {part.rows} rows would be more than {MOST_FILES} files: allow larger ones.",
        )
    return row_ranges(planned.key, part.rows, most)


def segments_of(rows: int, options: Options) -> int:
    """The number of tasks of so many rows."""
    return max(1, min(math.ceil(rows / options.rows_per_task), MOST_SEGMENTS))


def split(
    plan: Plan,
    planned: PlannedPart,
    rows: RowRange,
    upload: Pending,
    options: Options,
    at_once: int,
) -> list[Segment]:
    """Ranges of a file's rows; `at_once` is how many tasks of the whole export run at a time."""
    part = planned.part
    count = segments_of(rows.rows, options)
    step = max(1, math.ceil(rows.rows / count))
    settings = {**plan.encoding, **plan.snapshot.settings, **options.settings}
    chunks = math.ceil(step / max(1, int(settings.get(ROW_GROUP, 1)))) * len(plan.columns)
    compressed = math.ceil(part.compressed * rows.rows / max(1, part.rows))
    part_size, held_back = upload_sizes(compressed, step, count, chunks)
    segments = []
    for number in range(count):
        begin = rows.first + number * step
        end = min(begin + step, rows.first + rows.rows)
        within = f" AND _part_offset >= {begin} AND _part_offset < {end}"
        sql = f"{planned.select}{'' if end - begin == part.rows else within} FORMAT Parquet"
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


def upload_sizes(compressed: int, rows: int, segments: int, chunks: int) -> tuple[int, int]:
    """The size of the parts of a segment's upload, and how many bytes of its end are held back."""
    numbers = (MOST_PARTS - 1) // segments // (SPARK_ATTEMPTS * TRIES)
    needed = math.ceil(1.5 * compressed / segments / numbers)
    size = max(SMALLEST_PART if rows <= MOST_ROWS_OF_SMALL else PART, needed)
    if chunks > CHUNKS_OF_SMALL_FOOTER:
        return size, HELD_BACK
    # What is left in the end must be enough for a part, where other segments follow.
    return size, SMALL_FOOTER + (SMALLEST_PART if segments > 1 else 0)
