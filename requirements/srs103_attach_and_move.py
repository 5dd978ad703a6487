"""SRS-103 ClickHouse Attach And Move: generated from srs103_attach_and_move.md, do not edit."""

# fmt: off
# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

RQ_SRS_103_ClickHouse_AttachAndMove_Attach = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Attach", "1.0", level=3, num="2.1", group="ours", description="""\
[ClickHouse] SHALL bring back the rows of the detached parts that `ALTER TABLE ... ATTACH PART`, `ATTACH PARTITION`, `ATTACH PARTITION ID` or `ATTACH PARTITION ALL` names, and leave all other detached parts where they are.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_Nothing = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Nothing", "1.0", level=3, num="2.2", group="ours", description="""\
[ClickHouse] SHALL refuse `ATTACH PART` and `DETACH PART` of a part that is not there, and change nothing when `ATTACH PARTITION`, `DETACH PARTITION` or `MOVE PARTITION` names a partition without parts.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_MaskedRows = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.MaskedRows", "1.0", level=3, num="2.3", group="ours", description="""\
[ClickHouse] SHALL keep masked rows masked when their part is detached and attached, attached to another table or moved to another table, and leave them out when the part is merged there.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_Level = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Level", "1.0", level=3, num="2.4", group="ours", description="""\
[ClickHouse] SHALL give an attached part the level 0, whatever its level was, so that it can be merged with the parts of its partition like an inserted one.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_ForeignNames = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.ForeignNames", "1.0", level=3, num="2.5", group="ours", description="""\
[ClickHouse] SHALL attach a detached part with a number in its name that no server of today gives so that it can be merged, or refuse `ATTACH PART` and leave the directory out of `ATTACH PARTITION`.

The level is such a number: the greatest one that fits into 32 bits was given by earlier versions, and greater ones never.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_Disks = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Disks", "1.0", level=3, num="2.6", group="ours", description="""\
[ClickHouse] SHALL find the detached parts of a table on every disk of its storage policy, and attach each on the disk where it is.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_AllOrNothing = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.AllOrNothing", "1.0", level=3, num="3.1", group="ours", description="""\
[ClickHouse] SHALL attach all detached parts of a partition or none: if one of them cannot be loaded, `ATTACH PARTITION` is refused, the table is unchanged, and all of them stay detached as they were.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_Integrity = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Integrity", "1.0", level=3, num="3.2", group="ours", description="""\
[ClickHouse] SHALL compare a detached part with its checksums before it attaches the part, and refuse a part whose files are damaged so that its rows cannot be read as they were written.

The documentation of `ATTACH` promises that the integrity of the data is checked.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_DamagedSource = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.DamagedSource", "1.0", level=3, num="3.3", group="ours", description="""\
[ClickHouse] SHALL refuse `ATTACH PARTITION ... FROM` a source with a damaged part, with the same code, where it refuses `REPLACE PARTITION` from that source, and leave the destination as it was.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_OtherPartition = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.OtherPartition", "1.0", level=3, num="3.4", group="ours", description="""\
[ClickHouse] SHALL refuse to attach a detached part whose directory is named after another partition than that of its rows.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_ForeignParts = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.ForeignParts", "1.0", level=3, num="3.5", group="ours", description="""\
[ClickHouse] SHALL attach a foreign part so that all of its rows are found, whatever the condition, and the rows of other parts can be read as before, or refuse it.

A foreign part can have more, fewer or other columns, another partition key, another sorting key, or come from another engine of the family.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_MoveToTable = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.MoveToTable", "1.0", level=3, num="4.1", group="ours", description="""\
[ClickHouse] SHALL take all rows of a partition out of the source and add them to the destination when `MOVE PARTITION ... TO TABLE` is executed, so that every row is in exactly one of the tables and no other row changes.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_MoveToItself = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.MoveToItself", "1.0", level=3, num="4.2", group="ours", description="""\
[ClickHouse] SHALL keep every row once when a partition is moved to the table in which it is.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_MoveRefused = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.MoveRefused", "1.0", level=3, num="4.3", group="ours", description="""\
[ClickHouse] SHALL refuse to move a partition to a table with other columns, another partition key or sorting key, to one whose engine has no partitions, and to one that is not there, and leave both tables as they were.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_TemporaryTables = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.TemporaryTables", "1.0", level=3, num="4.4", group="ours", description="""\
[ClickHouse] SHALL execute `DETACH PARTITION`, `ATTACH PARTITION` and `MOVE PARTITION ... TO TABLE` on a temporary table, and refuse to move a partition to a temporary table as to a table that does not exist.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_OpposingMoves = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.OpposingMoves", "1.0", level=3, num="4.5", group="ours", description="""\
[ClickHouse] SHALL leave every part on exactly one disk and every row in the table once when clients move a partition to different disks at the same time.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_MoveAndMutation = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.MoveAndMutation", "1.0", level=3, num="4.6", group="ours", description="""\
[ClickHouse] SHALL carry out a mutation that waits also in parts that were moved to another disk meanwhile, on the disk where they are then.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_StoragePolicy = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.StoragePolicy", "1.0", level=3, num="4.7", group="ours", description="""\
[ClickHouse] SHALL refuse to change the storage policy of a table to one that lacks a disk of the present policy, and use a disk that a new policy adds.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_Privileges = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Privileges", "1.0", level=3, num="5.1", group="ours", description="""\
[ClickHouse] SHALL execute these statements for a user who has the privileges of the row, and refuse them if one of these is missing, whatever else the user may do.

| statement | on the table | on the other table |
|---|---|---|
| `ATTACH PART`, `ATTACH PARTITION` | `INSERT` | |
| `DETACH PART`, `DETACH PARTITION` | `ALTER DELETE` | |
| `DROP DETACHED PART` | `ALTER DELETE` | |
| `MOVE PARTITION TO DISK`, `TO VOLUME` | `ALTER MOVE PARTITION`, or `SELECT` and `ALTER DELETE` | |
| `MOVE PARTITION TO TABLE` | `ALTER MOVE PARTITION`, or `SELECT` and `ALTER DELETE` | `INSERT` |
| `ATTACH PARTITION FROM` | `INSERT`, `ALTER DELETE` | `SELECT` |\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Attach = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Crash.Attach", "1.0", level=3, num="6.1", group="ours", description="""\
[ClickHouse] SHALL have attached all detached parts of a partition or none when it is killed while it executes `ATTACH PARTITION`, and keep those it has not attached so that the same statement attaches them.\
""")

RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Move = Requirement("RQ.SRS-103.ClickHouse.AttachAndMove.Crash.Move", "1.0", level=3, num="6.2", group="ours", description="""\
[ClickHouse] SHALL have every row in exactly one of the two tables when it is killed while it executes `MOVE PARTITION ... TO TABLE`.\
""")

SRS_103 = Specification(
    name="SRS-103 ClickHouse Attach And Move",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=(
        Specification.Heading("Introduction", 2, "1"),
        Specification.Heading("Attach", 2, "2"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Attach", 3, "2.1"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Nothing", 3, "2.2"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.MaskedRows", 3, "2.3"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Level", 3, "2.4"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.ForeignNames", 3, "2.5"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Disks", 3, "2.6"),
        Specification.Heading("Damaged and Foreign Parts", 2, "3"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.AllOrNothing", 3, "3.1"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Integrity", 3, "3.2"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.DamagedSource", 3, "3.3"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.OtherPartition", 3, "3.4"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.ForeignParts", 3, "3.5"),
        Specification.Heading("Move", 2, "4"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.MoveToTable", 3, "4.1"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.MoveToItself", 3, "4.2"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.MoveRefused", 3, "4.3"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.TemporaryTables", 3, "4.4"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.OpposingMoves", 3, "4.5"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.MoveAndMutation", 3, "4.6"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.StoragePolicy", 3, "4.7"),
        Specification.Heading("Access", 2, "5"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Privileges", 3, "5.1"),
        Specification.Heading("Crashes", 2, "6"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Crash.Attach", 3, "6.1"),
        Specification.Heading("RQ.SRS-103.ClickHouse.AttachAndMove.Crash.Move", 3, "6.2"),
        Specification.Heading("Sources", 2, "7"),
    ),
    requirements=(
        RQ_SRS_103_ClickHouse_AttachAndMove_Attach,
        RQ_SRS_103_ClickHouse_AttachAndMove_Nothing,
        RQ_SRS_103_ClickHouse_AttachAndMove_MaskedRows,
        RQ_SRS_103_ClickHouse_AttachAndMove_Level,
        RQ_SRS_103_ClickHouse_AttachAndMove_ForeignNames,
        RQ_SRS_103_ClickHouse_AttachAndMove_Disks,
        RQ_SRS_103_ClickHouse_AttachAndMove_AllOrNothing,
        RQ_SRS_103_ClickHouse_AttachAndMove_Integrity,
        RQ_SRS_103_ClickHouse_AttachAndMove_DamagedSource,
        RQ_SRS_103_ClickHouse_AttachAndMove_OtherPartition,
        RQ_SRS_103_ClickHouse_AttachAndMove_ForeignParts,
        RQ_SRS_103_ClickHouse_AttachAndMove_MoveToTable,
        RQ_SRS_103_ClickHouse_AttachAndMove_MoveToItself,
        RQ_SRS_103_ClickHouse_AttachAndMove_MoveRefused,
        RQ_SRS_103_ClickHouse_AttachAndMove_TemporaryTables,
        RQ_SRS_103_ClickHouse_AttachAndMove_OpposingMoves,
        RQ_SRS_103_ClickHouse_AttachAndMove_MoveAndMutation,
        RQ_SRS_103_ClickHouse_AttachAndMove_StoragePolicy,
        RQ_SRS_103_ClickHouse_AttachAndMove_Privileges,
        RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Attach,
        RQ_SRS_103_ClickHouse_AttachAndMove_Crash_Move,
    ),
)
