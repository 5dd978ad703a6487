"""Backups that FREEZE made: they are restored by copying their parts to detached/, and removed at the end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from helpers.cluster.client.session import Row
from helpers.explore.execution.observe import partition_ids
from helpers.explore.model.schema import Schema
from helpers.explore.model.tables import Backup, ModelState

FIRST_BLOCK = 900
"""Parts that are attached get new numbers; these only tell them apart in detached/."""


def copied(
    ask: Callable[[str], Sequence[Row]],
    database: str,
    table: str,
    backup: Backup,
    schema: Schema,
) -> list[str]:
    """Copy the parts of a backup; the statements that attach them."""
    name, partition, _ = backup
    ids = partition_ids(schema, ask) or {str(partition): partition}
    (partition_id,) = (id_ for id_, number in ids.items() if number == partition)
    ((data,),) = ask(
        "SELECT data_paths[1] FROM system.tables "
        f"WHERE database = '{database}' AND name = '{table}'"
    )
    ((disk,),) = ask("SELECT path FROM system.disks WHERE name = 'default'")
    folder = Path(data)
    frozen = Path(disk) / "shadow" / name / folder.relative_to(disk)
    # In the order in which they were written: of rows with equal keys the first or last one counts.
    found = sorted(frozen.iterdir(), key=lambda part: int(part.name.split("_")[1]))
    # Patches of a partition have its id at the end of theirs.
    parts = [part for part in found if part.name.split("_")[0].endswith(partition_id)]
    texts = []
    for number, part in enumerate(parts, start=FIRST_BLOCK):
        new = f"{part.name.split('_')[0]}_{number}_{number}_0"
        shutil.copytree(part, folder / "detached" / new, copy_function=os.link)
        texts.append(f"ALTER TABLE {database}.{table} ATTACH PART '{new}'")
    return texts


def removed(state: ModelState, database: str, schema: Schema) -> list[str]:
    """The statements that remove all backups. They outlive their tables: hundreds of them would fill the
    memory that the data is in."""
    return [
        f"ALTER TABLE {database}.{name} UNFREEZE PARTITION {schema.partition_literal(partition)} "
        f"WITH NAME '{backup}'"
        for name, table in state.tables.items()
        for backup, partition, _ in table.frozen
    ]
