"""SRS-102 ClickHouse Table Parts: generated from srs102_table_parts.md, do not edit."""

# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

from requirements.compiler import model

RQ_SRS_102_ClickHouse_TableParts = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep every row of a MergeTree table in exactly one active part, so that the row counts of the active parts add up to the row count of the table.

```sql
CREATE TABLE towns (town String, street String, price UInt64)
ENGINE = MergeTree ORDER BY (town, street);

INSERT INTO towns VALUES ('London', 'Oak Road', 300), ('Bath', 'Mill Lane', 200);

SELECT sum(rows) FROM system.parts
WHERE database = currentDatabase() AND table = 'towns' AND active; -- 2
```\
""",
    level=3,
    num="2.1",
)

RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Insert.NewPart",
    version="1.0",
    description="""\
[ClickHouse] SHALL create a new active part when a block of rows that belong to one partition is inserted, and leave the parts that were there as they are.\
""",
    level=3,
    num="2.2",
)

RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerPartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL create one part for each partition that an inserted block has rows for.

```sql
CREATE TABLE events (day UInt8, id UInt64)
ENGINE = MergeTree PARTITION BY day ORDER BY id
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO events VALUES (1, 3), (2, 2), (1, 1);

SELECT partition, rows FROM system.parts
WHERE database = currentDatabase() AND table = 'events' AND active
ORDER BY partition; -- ('1', 2), ('2', 1)
```\
""",
    level=3,
    num="2.3",
)

RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerBlock",
    version="1.0",
    description="""\
[ClickHouse] SHALL create parts for each block by itself when one `INSERT` is processed as several blocks.

```sql
CREATE TABLE blocks (id UInt64)
ENGINE = MergeTree ORDER BY id
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO blocks SELECT number FROM numbers(4)
SETTINGS max_block_size = 2, min_insert_block_size_rows = 2, min_insert_block_size_bytes = 0;

SELECT count() FROM system.parts
WHERE database = currentDatabase() AND table = 'blocks' AND active; -- 2
```\
""",
    level=3,
    num="2.4",
)

RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Insert.NoRows",
    version="1.0",
    description="""\
[ClickHouse] SHALL create no part from an `INSERT` that delivers no rows.\
""",
    level=3,
    num="2.5",
)

RQ_SRS_102_ClickHouse_TableParts_Insert_Failed = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Insert.Failed",
    version="1.0",
    description="""\
[ClickHouse] SHALL create no part from a block that violates a constraint of the table.

```sql
CREATE TABLE positive (id Int64, CONSTRAINT above_zero CHECK id > 0)
ENGINE = MergeTree ORDER BY id;

INSERT INTO positive SELECT number FROM numbers(3); -- error 469

SELECT count() FROM system.parts
WHERE database = currentDatabase() AND table = 'positive'; -- 0
```\
""",
    level=3,
    num="2.6",
)

RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Insert.TooManyPartitions",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse with `TOO_MANY_PARTS` (252) an inserted block that has rows for more partitions than `max_partitions_per_insert_block` allows.\
""",
    level=3,
    num="2.7",
)

RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Insert.Sorted",
    version="1.0",
    description="""\
[ClickHouse] SHALL store the rows of a part in the order of the table's sorting key, whatever the order in which they were inserted.

The virtual column `_part_offset` shows the position of a row in its part.

```sql
CREATE TABLE unsorted (id UInt64)
ENGINE = MergeTree ORDER BY id;

INSERT INTO unsorted VALUES (3), (1), (2);

SELECT groupArray(id) FROM (SELECT id FROM unsorted ORDER BY _part, _part_offset); -- [1, 2, 3]
```\
""",
    level=3,
    num="2.8",
)

RQ_SRS_102_ClickHouse_TableParts_Name = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Name",
    version="1.0",
    description="""\
[ClickHouse] SHALL name a part `<partition id>_<first block>_<last block>_<level>`, with `_<mutation version>` behind it if a mutation wrote the part.

The components are columns of `system.parts`: `partition_id`, `min_block_number`, `max_block_number`, `level`, `data_version`. A table without `PARTITION BY` has the single partition id `all`.\
""",
    level=3,
    num="3.1",
)

RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Name.BlockNumber",
    version="1.0",
    description="""\
[ClickHouse] SHALL give a part that an insert creates a block number greater than those of all parts created in the same partition before.\
""",
    level=3,
    num="3.2",
)

RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Name.InsertLevel",
    version="1.0",
    description="""\
[ClickHouse] SHALL give level 0 to a part that an insert into a table of the plain `MergeTree` engine creates.

Engines that merge the rows of an insert already while writing it, such as ReplacingMergeTree with `optimize_on_insert`, start at level 1.\
""",
    level=3,
    num="3.3",
)

RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Name.MergeLevel",
    version="1.0",
    description="""\
[ClickHouse] SHALL give a merged part the range of block numbers of the parts it was made of and a level one greater than the greatest of theirs.\
""",
    level=3,
    num="3.4",
)

RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Metadata",
    version="1.0",
    description="""\
[ClickHouse] SHALL store in the directory of each part the files `checksums.txt`, `columns.txt` and `count.txt` and the part's primary index.

The primary index is `primary.cidx`, or `primary.idx` when `compress_primary_key = 0`. The directory is the column `path` of `system.parts`.\
""",
    level=3,
    num="4.1",
)

RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Partition",
    version="1.0",
    description="""\
[ClickHouse] SHALL store in the directory of each part of a partitioned table the partition value (`partition.dat`) and the smallest and greatest value of each column of the partition key (`minmax_<column>.idx`).\
""",
    level=3,
    num="4.2",
)

RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.OtherTable",
    version="1.0",
    description="""\
[ClickHouse] SHALL attach a part whose directory was copied into the `detached` directory of another table with the same structure, partition key and sorting key, and return its rows from that table.

No catalogue outside the part is needed to understand it.\
""",
    level=3,
    num="4.3",
)

RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Checksums",
    version="1.0",
    description="""\
[ClickHouse] SHALL report a part whose data file no longer fits its checksum as not passed in the result of `CHECK TABLE`.\
""",
    level=3,
    num="4.4",
)

RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.AttachIncomplete",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse to attach a part whose directory lacks a data file and leave it detached.\
""",
    level=3,
    num="4.5",
)

RQ_SRS_102_ClickHouse_TableParts_Format_Wide = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Format.Wide",
    version="1.0",
    description="""\
[ClickHouse] SHALL store each column of a part of type `Wide` in files of its own.\
""",
    level=3,
    num="5.1",
)

RQ_SRS_102_ClickHouse_TableParts_Format_Compact = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Format.Compact",
    version="1.0",
    description="""\
[ClickHouse] SHALL store all columns of a part of type `Compact` in the one file `data.bin`.\
""",
    level=3,
    num="5.2",
)

RQ_SRS_102_ClickHouse_TableParts_Format_Threshold = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Format.Threshold",
    version="1.0",
    description="""\
[ClickHouse] SHALL write a part as `Compact` if it has fewer rows than `min_rows_for_wide_part` or fewer uncompressed bytes than `min_bytes_for_wide_part`, and as `Wide` otherwise.

```sql
CREATE TABLE formats (id UInt64)
ENGINE = MergeTree ORDER BY id
SETTINGS min_bytes_for_wide_part = 0, min_rows_for_wide_part = 10,
    max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO formats SELECT number FROM numbers(9);
INSERT INTO formats SELECT number FROM numbers(10);

SELECT rows, part_type FROM system.parts
WHERE database = currentDatabase() AND table = 'formats' AND active
ORDER BY rows; -- (9, 'Compact'), (10, 'Wide')
```\
""",
    level=3,
    num="5.3",
)

RQ_SRS_102_ClickHouse_TableParts_Immutable = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Immutable",
    version="1.0",
    description="""\
[ClickHouse] SHALL leave the files of an existing part unchanged when rows are inserted, parts are merged or a mutation runs.

The column `hash_of_all_files` of `system.parts` stays the same for as long as the part exists.\
""",
    level=3,
    num="6.1",
)

RQ_SRS_102_ClickHouse_TableParts_Merge_Background = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Merge.Background",
    version="1.0",
    description="""\
[ClickHouse] SHALL combine small parts of a partition into larger ones in the background, without a command.\
""",
    level=3,
    num="7.1",
)

RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Merge.SameRows",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep all rows of the merged parts in the part that a merge of a plain `MergeTree` table writes, in the order of the sorting key.\
""",
    level=3,
    num="7.2",
)

RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Merge.WithinPartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL merge only parts of the same partition with each other.

```sql
CREATE TABLE two_partitions (day UInt8, id UInt64)
ENGINE = MergeTree PARTITION BY day ORDER BY id;

INSERT INTO two_partitions VALUES (1, 1), (2, 2);
INSERT INTO two_partitions VALUES (1, 3), (2, 4);

OPTIMIZE TABLE two_partitions FINAL;

SELECT partition, rows FROM system.parts
WHERE database = currentDatabase() AND table = 'two_partitions' AND active
ORDER BY partition; -- ('1', 2), ('2', 2)
```\
""",
    level=3,
    num="7.3",
)

RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Merge.SourcesInactive",
    version="1.0",
    description="""\
[ClickHouse] SHALL make the parts that went into a merge inactive in the moment in which the merged part becomes active.

A query never sees both, nor neither.

```sql
CREATE TABLE merged (id UInt64)
ENGINE = MergeTree ORDER BY id
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1, old_parts_lifetime = 600;

INSERT INTO merged VALUES (1);
INSERT INTO merged VALUES (2);

OPTIMIZE TABLE merged FINAL;

SELECT name, active FROM system.parts
WHERE database = currentDatabase() AND table = 'merged'
ORDER BY name; -- ('all_1_1_0', 0), ('all_1_2_1', 1), ('all_2_2_0', 0)
```\
""",
    level=3,
    num="7.4",
)

RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Merge.SizeLimit",
    version="1.0",
    description="""\
[ClickHouse] SHALL start no background merge of parts that together are larger than `max_bytes_to_merge_at_max_space_in_pool`.

The default is 150 GiB. `OPTIMIZE TABLE ... FINAL` is no background merge and is not limited by it.\
""",
    level=3,
    num="7.5",
)

RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Mutation.NewPart",
    version="1.0",
    description="""\
[ClickHouse] SHALL write the rows that `ALTER TABLE ... UPDATE` or `ALTER TABLE ... DELETE` changes into new active parts and make the parts they replace inactive.

```sql
CREATE TABLE mutated (id UInt64, value String)
ENGINE = MergeTree ORDER BY id
SETTINGS old_parts_lifetime = 600;

INSERT INTO mutated VALUES (1, 'before');

ALTER TABLE mutated UPDATE value = 'after' WHERE id = 1 SETTINGS mutations_sync = 2;

SELECT name, active FROM system.parts
WHERE database = currentDatabase() AND table = 'mutated'
ORDER BY name; -- ('all_1_1_0', 0), ('all_1_1_0_2', 1)
```\
""",
    level=3,
    num="8.1",
)

RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Mutation.Blocks",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep partition, block numbers and level of a part in the name of the part that a mutation writes for it.\
""",
    level=3,
    num="8.2",
)

RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Mutation.EmptyPart",
    version="1.0",
    description="""\
[ClickHouse] SHALL remove by itself a part that a mutation left without rows, unless the table's setting `remove_empty_parts` is 0.\
""",
    level=3,
    num="8.3",
)

RQ_SRS_102_ClickHouse_TableParts_Active_Read = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Active.Read",
    version="1.0",
    description="""\
[ClickHouse] SHALL return from a `SELECT` that starts after a merge or mutation has finished only rows of active parts.

The virtual column `_part` names the part that a row comes from.\
""",
    level=3,
    num="9.1",
)

RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Active.RunningQuery",
    version="1.0",
    description="""\
[ClickHouse] SHALL let a running `SELECT` read to its end the parts that were active when it started, even if they are superseded meanwhile.\
""",
    level=3,
    num="9.2",
)

RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Lifetime",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep a superseded part on disk for at least `old_parts_lifetime` seconds after it became inactive.\
""",
    level=3,
    num="9.3",
)

RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Removal",
    version="1.0",
    description="""\
[ClickHouse] SHALL delete the directory of a superseded part by itself once `old_parts_lifetime` has passed and no query reads the part.

Cleaning runs at intervals (`cleanup_delay_period`, `max_cleanup_delay_period`, `merge_tree_clear_old_parts_interval_seconds`), so the end of the lifetime is the earliest moment, not the exact one.\
""",
    level=3,
    num="9.4",
)

RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Restart",
    version="1.0",
    description="""\
[ClickHouse] SHALL NOT make a superseded part active again after a restart of the server as long as its successor is intact.\
""",
    level=3,
    num="9.5",
)

RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Recovery",
    version="1.0",
    description="""\
[ClickHouse] SHALL make superseded parts that are still on disk active again if the server finds their successor broken at its start.

This is what the lifetime of inactive parts is for.\
""",
    level=3,
    num="9.6",
)

RQ_SRS_102_ClickHouse_TableParts_Detached_Command = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Detached.Command",
    version="1.0",
    description="""\
[ClickHouse] SHALL take the part named in `ALTER TABLE ... DETACH PART`, or all parts of the partition named in `ALTER TABLE ... DETACH PARTITION`, out of the table's data and list them in `system.detached_parts` with an empty reason.

```sql
CREATE TABLE shelf (id UInt64)
ENGINE = MergeTree ORDER BY id
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO shelf VALUES (1);
INSERT INTO shelf VALUES (2);

ALTER TABLE shelf DETACH PART 'all_1_1_0';

SELECT id FROM shelf; -- 2

SELECT name, reason FROM system.detached_parts
WHERE database = currentDatabase() AND table = 'shelf'; -- ('all_1_1_0', '')

ALTER TABLE shelf ATTACH PART 'all_1_1_0';

SELECT name FROM system.parts
WHERE database = currentDatabase() AND table = 'shelf' AND active
ORDER BY name; -- 'all_2_2_0', 'all_3_3_0'
```\
""",
    level=3,
    num="10.1",
)

RQ_SRS_102_ClickHouse_TableParts_Detached_Attach = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Detached.Attach",
    version="1.0",
    description="""\
[ClickHouse] SHALL make the rows of a detached part current data again on `ALTER TABLE ... ATTACH PART`, under a part name with a new block number.\
""",
    level=3,
    num="10.2",
)

RQ_SRS_102_ClickHouse_TableParts_Detached_Kept = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Detached.Kept",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep a part detached by command until it is attached or dropped by command, restarts of the server included.

In contrast to an inactive part it has no lifetime.\
""",
    level=3,
    num="10.3",
)

RQ_SRS_102_ClickHouse_TableParts_Detached_Broken = Requirement(
    name="RQ.SRS-102.ClickHouse.TableParts.Detached.Broken",
    version="1.0",
    description="""\
[ClickHouse] SHALL detach a part that it finds broken when the server starts, give `broken-on-start` as the reason in `system.detached_parts`, and serve the table's other parts.\
""",
    level=3,
    num="10.4",
)

TABLE = model.Specification(
    id="SRS-102",
    title="ClickHouse Table Parts",
    file="requirements/srs102_table_parts.md",
    line=1,
    state="active",
    reason="",
    sections=(
        model.Section(
            title="Introduction",
            level=2,
            number="1",
            line=56,
            anchor="introduction",
        ),
        model.Section(
            title="Creation",
            level=2,
            number="2",
            line=69,
            anchor="creation",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts",
            level=3,
            number="2.1",
            line=71,
            anchor="rqsrs-102clickhousetableparts",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Insert.NewPart",
            level=3,
            number="2.2",
            line=86,
            anchor="rqsrs-102clickhousetablepartsinsertnewpart",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerPartition",
            level=3,
            number="2.3",
            line=91,
            anchor="rqsrs-102clickhousetablepartsinsertpartperpartition",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerBlock",
            level=3,
            number="2.4",
            line=108,
            anchor="rqsrs-102clickhousetablepartsinsertpartperblock",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Insert.NoRows",
            level=3,
            number="2.5",
            line=125,
            anchor="rqsrs-102clickhousetablepartsinsertnorows",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Insert.Failed",
            level=3,
            number="2.6",
            line=130,
            anchor="rqsrs-102clickhousetablepartsinsertfailed",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Insert.TooManyPartitions",
            level=3,
            number="2.7",
            line=145,
            anchor="rqsrs-102clickhousetablepartsinserttoomanypartitions",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Insert.Sorted",
            level=3,
            number="2.8",
            line=150,
            anchor="rqsrs-102clickhousetablepartsinsertsorted",
        ),
        model.Section(
            title="Names",
            level=2,
            number="3",
            line=166,
            anchor="names",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Name",
            level=3,
            number="3.1",
            line=168,
            anchor="rqsrs-102clickhousetablepartsname",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Name.BlockNumber",
            level=3,
            number="3.2",
            line=175,
            anchor="rqsrs-102clickhousetablepartsnameblocknumber",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Name.InsertLevel",
            level=3,
            number="3.3",
            line=180,
            anchor="rqsrs-102clickhousetablepartsnameinsertlevel",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Name.MergeLevel",
            level=3,
            number="3.4",
            line=187,
            anchor="rqsrs-102clickhousetablepartsnamemergelevel",
        ),
        model.Section(
            title="Self-Containment",
            level=2,
            number="4",
            line=192,
            anchor="self-containment",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Metadata",
            level=3,
            number="4.1",
            line=194,
            anchor="rqsrs-102clickhousetablepartsselfcontainedmetadata",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Partition",
            level=3,
            number="4.2",
            line=201,
            anchor="rqsrs-102clickhousetablepartsselfcontainedpartition",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.SelfContained.OtherTable",
            level=3,
            number="4.3",
            line=206,
            anchor="rqsrs-102clickhousetablepartsselfcontainedothertable",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Checksums",
            level=3,
            number="4.4",
            line=213,
            anchor="rqsrs-102clickhousetablepartsselfcontainedchecksums",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.SelfContained.AttachIncomplete",
            level=3,
            number="4.5",
            line=218,
            anchor="rqsrs-102clickhousetablepartsselfcontainedattachincomplete",
        ),
        model.Section(
            title="Formats",
            level=2,
            number="5",
            line=223,
            anchor="formats",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Format.Wide",
            level=3,
            number="5.1",
            line=225,
            anchor="rqsrs-102clickhousetablepartsformatwide",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Format.Compact",
            level=3,
            number="5.2",
            line=230,
            anchor="rqsrs-102clickhousetablepartsformatcompact",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Format.Threshold",
            level=3,
            number="5.3",
            line=235,
            anchor="rqsrs-102clickhousetablepartsformatthreshold",
        ),
        model.Section(
            title="Immutability",
            level=2,
            number="6",
            line=254,
            anchor="immutability",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Immutable",
            level=3,
            number="6.1",
            line=256,
            anchor="rqsrs-102clickhousetablepartsimmutable",
        ),
        model.Section(
            title="Merges",
            level=2,
            number="7",
            line=263,
            anchor="merges",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Merge.Background",
            level=3,
            number="7.1",
            line=265,
            anchor="rqsrs-102clickhousetablepartsmergebackground",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Merge.SameRows",
            level=3,
            number="7.2",
            line=270,
            anchor="rqsrs-102clickhousetablepartsmergesamerows",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Merge.WithinPartition",
            level=3,
            number="7.3",
            line=275,
            anchor="rqsrs-102clickhousetablepartsmergewithinpartition",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Merge.SourcesInactive",
            level=3,
            number="7.4",
            line=294,
            anchor="rqsrs-102clickhousetablepartsmergesourcesinactive",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Merge.SizeLimit",
            level=3,
            number="7.5",
            line=316,
            anchor="rqsrs-102clickhousetablepartsmergesizelimit",
        ),
        model.Section(
            title="Mutations",
            level=2,
            number="8",
            line=323,
            anchor="mutations",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Mutation.NewPart",
            level=3,
            number="8.1",
            line=325,
            anchor="rqsrs-102clickhousetablepartsmutationnewpart",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Mutation.Blocks",
            level=3,
            number="8.2",
            line=344,
            anchor="rqsrs-102clickhousetablepartsmutationblocks",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Mutation.EmptyPart",
            level=3,
            number="8.3",
            line=349,
            anchor="rqsrs-102clickhousetablepartsmutationemptypart",
        ),
        model.Section(
            title="Active and Inactive Parts",
            level=2,
            number="9",
            line=354,
            anchor="active-and-inactive-parts",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Active.Read",
            level=3,
            number="9.1",
            line=356,
            anchor="rqsrs-102clickhousetablepartsactiveread",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Active.RunningQuery",
            level=3,
            number="9.2",
            line=363,
            anchor="rqsrs-102clickhousetablepartsactiverunningquery",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Inactive.Lifetime",
            level=3,
            number="9.3",
            line=368,
            anchor="rqsrs-102clickhousetablepartsinactivelifetime",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Inactive.Removal",
            level=3,
            number="9.4",
            line=373,
            anchor="rqsrs-102clickhousetablepartsinactiveremoval",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Inactive.Restart",
            level=3,
            number="9.5",
            line=380,
            anchor="rqsrs-102clickhousetablepartsinactiverestart",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Inactive.Recovery",
            level=3,
            number="9.6",
            line=385,
            anchor="rqsrs-102clickhousetablepartsinactiverecovery",
        ),
        model.Section(
            title="Detached Parts",
            level=2,
            number="10",
            line=392,
            anchor="detached-parts",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Detached.Command",
            level=3,
            number="10.1",
            line=394,
            anchor="rqsrs-102clickhousetablepartsdetachedcommand",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Detached.Attach",
            level=3,
            number="10.2",
            line=421,
            anchor="rqsrs-102clickhousetablepartsdetachedattach",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Detached.Kept",
            level=3,
            number="10.3",
            line=426,
            anchor="rqsrs-102clickhousetablepartsdetachedkept",
        ),
        model.Section(
            title="RQ.SRS-102.ClickHouse.TableParts.Detached.Broken",
            level=3,
            number="10.4",
            line=433,
            anchor="rqsrs-102clickhousetablepartsdetachedbroken",
        ),
        model.Section(
            title="Sources",
            level=2,
            number="11",
            line=438,
            anchor="sources",
        ),
    ),
    requirements=(
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.1",
            file="requirements/srs102_table_parts.md",
            line=71,
            text=RQ_SRS_102_ClickHouse_TableParts.description,
            content_hash="1db632ce14a6",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Insert.NewPart",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.2",
            file="requirements/srs102_table_parts.md",
            line=86,
            text=RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart.description,
            content_hash="39599d96109d",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerPartition",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.3",
            file="requirements/srs102_table_parts.md",
            line=91,
            text=RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition.description,
            content_hash="1bf074157571",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerBlock",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.4",
            file="requirements/srs102_table_parts.md",
            line=108,
            text=RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock.description,
            content_hash="fcbefb73ecbe",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Insert.NoRows",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.5",
            file="requirements/srs102_table_parts.md",
            line=125,
            text=RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows.description,
            content_hash="f332597663c4",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Insert.Failed",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.6",
            file="requirements/srs102_table_parts.md",
            line=130,
            text=RQ_SRS_102_ClickHouse_TableParts_Insert_Failed.description,
            content_hash="958973ac2f51",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Insert_Failed",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Insert.TooManyPartitions",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.7",
            file="requirements/srs102_table_parts.md",
            line=145,
            text=RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions.description,
            content_hash="cd773dce234e",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Insert.Sorted",
            version="1.0",
            specification="SRS-102",
            heading_path=("Creation",),
            level=3,
            number="2.8",
            file="requirements/srs102_table_parts.md",
            line=150,
            text=RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted.description,
            content_hash="813be95cdb52",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Name",
            version="1.0",
            specification="SRS-102",
            heading_path=("Names",),
            level=3,
            number="3.1",
            file="requirements/srs102_table_parts.md",
            line=168,
            text=RQ_SRS_102_ClickHouse_TableParts_Name.description,
            content_hash="758eef4dba4f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Name",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Name.BlockNumber",
            version="1.0",
            specification="SRS-102",
            heading_path=("Names",),
            level=3,
            number="3.2",
            file="requirements/srs102_table_parts.md",
            line=175,
            text=RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber.description,
            content_hash="cb07032ff4d0",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Name.InsertLevel",
            version="1.0",
            specification="SRS-102",
            heading_path=("Names",),
            level=3,
            number="3.3",
            file="requirements/srs102_table_parts.md",
            line=180,
            text=RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel.description,
            content_hash="cd2655b0d1c6",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Name.MergeLevel",
            version="1.0",
            specification="SRS-102",
            heading_path=("Names",),
            level=3,
            number="3.4",
            file="requirements/srs102_table_parts.md",
            line=187,
            text=RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel.description,
            content_hash="8a27e4971801",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Metadata",
            version="1.0",
            specification="SRS-102",
            heading_path=("Self-Containment",),
            level=3,
            number="4.1",
            file="requirements/srs102_table_parts.md",
            line=194,
            text=RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata.description,
            content_hash="060f74c9b506",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Partition",
            version="1.0",
            specification="SRS-102",
            heading_path=("Self-Containment",),
            level=3,
            number="4.2",
            file="requirements/srs102_table_parts.md",
            line=201,
            text=RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition.description,
            content_hash="2506238a77bf",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.OtherTable",
            version="1.0",
            specification="SRS-102",
            heading_path=("Self-Containment",),
            level=3,
            number="4.3",
            file="requirements/srs102_table_parts.md",
            line=206,
            text=RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable.description,
            content_hash="1203f98a9dfd",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.Checksums",
            version="1.0",
            specification="SRS-102",
            heading_path=("Self-Containment",),
            level=3,
            number="4.4",
            file="requirements/srs102_table_parts.md",
            line=213,
            text=RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums.description,
            content_hash="a61535bc759e",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.SelfContained.AttachIncomplete",
            version="1.0",
            specification="SRS-102",
            heading_path=("Self-Containment",),
            level=3,
            number="4.5",
            file="requirements/srs102_table_parts.md",
            line=218,
            text=RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete.description,
            content_hash="cd0c0c773bfa",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Format.Wide",
            version="1.0",
            specification="SRS-102",
            heading_path=("Formats",),
            level=3,
            number="5.1",
            file="requirements/srs102_table_parts.md",
            line=225,
            text=RQ_SRS_102_ClickHouse_TableParts_Format_Wide.description,
            content_hash="b33f5c1af569",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Format_Wide",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Format.Compact",
            version="1.0",
            specification="SRS-102",
            heading_path=("Formats",),
            level=3,
            number="5.2",
            file="requirements/srs102_table_parts.md",
            line=230,
            text=RQ_SRS_102_ClickHouse_TableParts_Format_Compact.description,
            content_hash="f8df56439030",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Format_Compact",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Format.Threshold",
            version="1.0",
            specification="SRS-102",
            heading_path=("Formats",),
            level=3,
            number="5.3",
            file="requirements/srs102_table_parts.md",
            line=235,
            text=RQ_SRS_102_ClickHouse_TableParts_Format_Threshold.description,
            content_hash="e332ec2b6707",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Format_Threshold",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Immutable",
            version="1.0",
            specification="SRS-102",
            heading_path=("Immutability",),
            level=3,
            number="6.1",
            file="requirements/srs102_table_parts.md",
            line=256,
            text=RQ_SRS_102_ClickHouse_TableParts_Immutable.description,
            content_hash="91aa78df430d",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Immutable",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Merge.Background",
            version="1.0",
            specification="SRS-102",
            heading_path=("Merges",),
            level=3,
            number="7.1",
            file="requirements/srs102_table_parts.md",
            line=265,
            text=RQ_SRS_102_ClickHouse_TableParts_Merge_Background.description,
            content_hash="c45c520f115c",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Merge_Background",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Merge.SameRows",
            version="1.0",
            specification="SRS-102",
            heading_path=("Merges",),
            level=3,
            number="7.2",
            file="requirements/srs102_table_parts.md",
            line=270,
            text=RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows.description,
            content_hash="a340eb8bd627",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Merge.WithinPartition",
            version="1.0",
            specification="SRS-102",
            heading_path=("Merges",),
            level=3,
            number="7.3",
            file="requirements/srs102_table_parts.md",
            line=275,
            text=RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition.description,
            content_hash="4805b22b8857",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Merge.SourcesInactive",
            version="1.0",
            specification="SRS-102",
            heading_path=("Merges",),
            level=3,
            number="7.4",
            file="requirements/srs102_table_parts.md",
            line=294,
            text=RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive.description,
            content_hash="f8343ef07f79",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Merge.SizeLimit",
            version="1.0",
            specification="SRS-102",
            heading_path=("Merges",),
            level=3,
            number="7.5",
            file="requirements/srs102_table_parts.md",
            line=316,
            text=RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit.description,
            content_hash="dd57cb6d8f54",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Mutation.NewPart",
            version="1.0",
            specification="SRS-102",
            heading_path=("Mutations",),
            level=3,
            number="8.1",
            file="requirements/srs102_table_parts.md",
            line=325,
            text=RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart.description,
            content_hash="f556ff85f2bf",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Mutation.Blocks",
            version="1.0",
            specification="SRS-102",
            heading_path=("Mutations",),
            level=3,
            number="8.2",
            file="requirements/srs102_table_parts.md",
            line=344,
            text=RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks.description,
            content_hash="f1add36e8eb2",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Mutation.EmptyPart",
            version="1.0",
            specification="SRS-102",
            heading_path=("Mutations",),
            level=3,
            number="8.3",
            file="requirements/srs102_table_parts.md",
            line=349,
            text=RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart.description,
            content_hash="dbe2afd945cb",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Active.Read",
            version="1.0",
            specification="SRS-102",
            heading_path=("Active and Inactive Parts",),
            level=3,
            number="9.1",
            file="requirements/srs102_table_parts.md",
            line=356,
            text=RQ_SRS_102_ClickHouse_TableParts_Active_Read.description,
            content_hash="590f04c6952f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Active_Read",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Active.RunningQuery",
            version="1.0",
            specification="SRS-102",
            heading_path=("Active and Inactive Parts",),
            level=3,
            number="9.2",
            file="requirements/srs102_table_parts.md",
            line=363,
            text=RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery.description,
            content_hash="923c3dbd7d59",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Lifetime",
            version="1.0",
            specification="SRS-102",
            heading_path=("Active and Inactive Parts",),
            level=3,
            number="9.3",
            file="requirements/srs102_table_parts.md",
            line=368,
            text=RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime.description,
            content_hash="4249a9808065",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Removal",
            version="1.0",
            specification="SRS-102",
            heading_path=("Active and Inactive Parts",),
            level=3,
            number="9.4",
            file="requirements/srs102_table_parts.md",
            line=373,
            text=RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal.description,
            content_hash="43f8c9acc9c1",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Restart",
            version="1.0",
            specification="SRS-102",
            heading_path=("Active and Inactive Parts",),
            level=3,
            number="9.5",
            file="requirements/srs102_table_parts.md",
            line=380,
            text=RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart.description,
            content_hash="ed972d03d974",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Inactive.Recovery",
            version="1.0",
            specification="SRS-102",
            heading_path=("Active and Inactive Parts",),
            level=3,
            number="9.6",
            file="requirements/srs102_table_parts.md",
            line=385,
            text=RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery.description,
            content_hash="9f12978c6a0e",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Detached.Command",
            version="1.0",
            specification="SRS-102",
            heading_path=("Detached Parts",),
            level=3,
            number="10.1",
            file="requirements/srs102_table_parts.md",
            line=394,
            text=RQ_SRS_102_ClickHouse_TableParts_Detached_Command.description,
            content_hash="92ed732b7b70",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Detached_Command",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Detached.Attach",
            version="1.0",
            specification="SRS-102",
            heading_path=("Detached Parts",),
            level=3,
            number="10.2",
            file="requirements/srs102_table_parts.md",
            line=421,
            text=RQ_SRS_102_ClickHouse_TableParts_Detached_Attach.description,
            content_hash="22dbe78bddb5",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Detached_Attach",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Detached.Kept",
            version="1.0",
            specification="SRS-102",
            heading_path=("Detached Parts",),
            level=3,
            number="10.3",
            file="requirements/srs102_table_parts.md",
            line=426,
            text=RQ_SRS_102_ClickHouse_TableParts_Detached_Kept.description,
            content_hash="7a4a039a14f7",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Detached_Kept",
        ),
        model.RequirementText(
            name="RQ.SRS-102.ClickHouse.TableParts.Detached.Broken",
            version="1.0",
            specification="SRS-102",
            heading_path=("Detached Parts",),
            level=3,
            number="10.4",
            file="requirements/srs102_table_parts.md",
            line=433,
            text=RQ_SRS_102_ClickHouse_TableParts_Detached_Broken.description,
            content_hash="2010b44e1680",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_102_ClickHouse_TableParts_Detached_Broken",
        ),
    ),
)

SRS_102 = Specification(
    name="SRS-102 ClickHouse Table Parts",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=tuple(
        Specification.Heading(section.title, section.level, section.number)
        for section in TABLE.sections
    ),
    requirements=(
        RQ_SRS_102_ClickHouse_TableParts,
        RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart,
        RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition,
        RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock,
        RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows,
        RQ_SRS_102_ClickHouse_TableParts_Insert_Failed,
        RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions,
        RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted,
        RQ_SRS_102_ClickHouse_TableParts_Name,
        RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber,
        RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel,
        RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete,
        RQ_SRS_102_ClickHouse_TableParts_Format_Wide,
        RQ_SRS_102_ClickHouse_TableParts_Format_Compact,
        RQ_SRS_102_ClickHouse_TableParts_Format_Threshold,
        RQ_SRS_102_ClickHouse_TableParts_Immutable,
        RQ_SRS_102_ClickHouse_TableParts_Merge_Background,
        RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows,
        RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition,
        RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive,
        RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit,
        RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart,
        RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks,
        RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart,
        RQ_SRS_102_ClickHouse_TableParts_Active_Read,
        RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery,
        RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime,
        RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal,
        RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart,
        RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery,
        RQ_SRS_102_ClickHouse_TableParts_Detached_Command,
        RQ_SRS_102_ClickHouse_TableParts_Detached_Attach,
        RQ_SRS_102_ClickHouse_TableParts_Detached_Kept,
        RQ_SRS_102_ClickHouse_TableParts_Detached_Broken,
    ),
)
