"""Restoring a backup that FREEZE made: its parts are copied to detached/, and attached one by one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from helpers.cluster.client.session import Row

FIRST_BLOCK = 900
"""Parts that are attached get new numbers; these only tell them apart in detached/."""


def copied(
    ask: Callable[[str], Sequence[Row]],
    database: str,
    table: str,
    name: str,
    partition_id: str,
) -> list[str]:
    """Copy the parts of a backup; the statements that attach them."""
    ((data,),) = ask(
        "SELECT data_paths[1] FROM system.tables "
        f"WHERE database = '{database}' AND name = '{table}'"
    )
    ((disk,),) = ask("SELECT path FROM system.disks WHERE name = 'default'")
    folder = Path(data)
    backup = Path(disk) / "shadow" / name / folder.relative_to(disk)
    found = sorted(backup.iterdir())
    # Patches of a partition have its id at the end of theirs.
    parts = [part for part in found if part.name.split("_")[0].endswith(partition_id)]
    texts = []
    for number, part in enumerate(parts, start=FIRST_BLOCK):
        new = f"{part.name.split('_')[0]}_{number}_{number}_0"
        shutil.copytree(part, folder / "detached" / new, copy_function=os.link)
        texts.append(f"ALTER TABLE {database}.{table} ATTACH PART '{new}'")
    return texts
