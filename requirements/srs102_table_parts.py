"""SRS-102 ClickHouse Table Parts: generated from srs102_table_parts.md, do not edit."""

# fmt: off
# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

RQ_SRS_102_ClickHouse_TableParts = Requirement("RQ.SRS-102.ClickHouse.TableParts", "1.1", level=3, num="2.1", group="ours", description="""\
[ClickHouse] SHALL keep every row of a MergeTree table in exactly one active part, so that the row counts of the active parts add up to the row count of the table.

Rows that a lightweight `DELETE` has masked count until their part is merged. Patch parts, which an `UPDATE` writes, hold no rows of their own.

```sql
CREATE TABLE towns (town String, street String, price UInt64)
ENGINE = MergeTree ORDER BY (town, street);

INSERT INTO towns VALUES ('London', 'Oak Road', 300), ('Bath', 'Mill Lane', 200);

SELECT sum(rows) FROM system.parts
WHERE database = currentDatabase() AND table = 'towns' AND active; -- 2
```\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.NewPart", "1.0", level=3, num="2.2", group="ours", description="""\
[ClickHouse] SHALL create a new active part when a block of rows that belong to one partition is inserted, and leave the parts that were there as they are.\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerPartition", "1.0", level=3, num="2.3", group="ours", description="""\
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
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerBlock", "1.0", level=3, num="2.4", group="ours", description="""\
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
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.NoRows", "1.0", level=3, num="2.5", group="ours", description="""\
[ClickHouse] SHALL create no part from an `INSERT` that delivers no rows.\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_Failed = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.Failed", "1.0", level=3, num="2.6", group="ours", description="""\
[ClickHouse] SHALL create no part from a block that violates a constraint of the table.

```sql
CREATE TABLE positive (id Int64, CONSTRAINT above_zero CHECK id > 0)
ENGINE = MergeTree ORDER BY id;

INSERT INTO positive SELECT number FROM numbers(3); -- error 469

SELECT count() FROM system.parts
WHERE database = currentDatabase() AND table = 'positive'; -- 0
```\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_Cancelled = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.Cancelled", "1.0", level=3, num="2.7", group="ours", description="""\
[ClickHouse] SHALL have inserted no row of an `INSERT` of one block into one partition whose client is told that `KILL QUERY` has cancelled it (394, `QUERY_WAS_CANCELLED`): if an error is sent to the client, then no rows were inserted.\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.TooManyPartitions", "1.0", level=3, num="2.8", group="ours", description="""\
[ClickHouse] SHALL refuse with `TOO_MANY_PARTS` (252) an inserted block that has rows for more partitions than `max_partitions_per_insert_block` allows.\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyParts = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.TooManyParts", "1.0", level=3, num="2.9", group="ours", description="""\
[ClickHouse] SHALL refuse with `TOO_MANY_PARTS` (252) an `INSERT` into a table that has as many active parts in one partition as `parts_to_throw_insert`, as many superseded parts in one partition as `inactive_parts_to_throw_insert`, or as many active parts in all partitions as `max_parts_in_total`, and leave the table as it is.

A limit that is reached in one partition concerns inserts into the others, too. An average size of a partition's parts above `max_avg_part_size_for_too_many_parts` lifts the first of the limits.

```sql
CREATE TABLE crowded (id UInt64)
ENGINE = MergeTree ORDER BY id
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1, parts_to_throw_insert = 1;

INSERT INTO crowded VALUES (1);
INSERT INTO crowded SELECT 2; -- error 252

SELECT count() FROM crowded; -- 1
```\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_Delayed = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.Delayed", "1.0", level=3, num="2.10", group="ours", description="""\
[ClickHouse] SHALL make an `INSERT` into a table wait if one of its partitions has as many active parts as `parts_to_delay_insert`, for at least `min_delay_to_insert_ms` and at most `max_delay_to_insert` seconds, and longer the more parts there are.\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.Sorted", "1.0", level=3, num="2.11", group="ours", description="""\
[ClickHouse] SHALL store the rows of a part in the order of the table's sorting key, whatever the order in which they were inserted.

The virtual column `_part_offset` shows the position of a row in its part.

```sql
CREATE TABLE unsorted (id UInt64)
ENGINE = MergeTree ORDER BY id;

INSERT INTO unsorted VALUES (3), (1), (2);

SELECT groupArray(id) FROM (SELECT id FROM unsorted ORDER BY _part, _part_offset); -- [1, 2, 3]
```\
""")

RQ_SRS_102_ClickHouse_TableParts_Name = Requirement("RQ.SRS-102.ClickHouse.TableParts.Name", "1.0", level=3, num="3.1", group="ours", description="""\
[ClickHouse] SHALL name a part `<partition id>_<first block>_<last block>_<level>`, with `_<mutation version>` behind it if a mutation wrote the part.

The components are columns of `system.parts`: `partition_id`, `min_block_number`, `max_block_number`, `level`, `data_version`. A table without `PARTITION BY` has the single partition id `all`.\
""")

RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber = Requirement("RQ.SRS-102.ClickHouse.TableParts.Name.BlockNumber", "1.1", level=3, num="3.2", group="ours", description="""\
[ClickHouse] SHALL give a part that an insert creates a block number greater than those of all parts of the same partition that the table has, active or not, and of all that were created in it since the server was started.

The server remembers no number: after a restart the number of a part that was dropped or detached before can be given again.\
""")

RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel = Requirement("RQ.SRS-102.ClickHouse.TableParts.Name.InsertLevel", "1.0", level=3, num="3.3", group="ours", description="""\
[ClickHouse] SHALL give level 0 to a part that an insert into a table of the plain `MergeTree` engine creates.

Engines that merge the rows of an insert already while writing it, such as ReplacingMergeTree with `optimize_on_insert`, start at level 1.\
""")

RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel = Requirement("RQ.SRS-102.ClickHouse.TableParts.Name.MergeLevel", "1.0", level=3, num="3.4", group="ours", description="""\
[ClickHouse] SHALL give a merged part the range of block numbers of the parts it was made of and a level one greater than the greatest of theirs.\
""")

RQ_SRS_102_ClickHouse_TableParts_Name_Patch = Requirement("RQ.SRS-102.ClickHouse.TableParts.Name.Patch", "1.0", level=3, num="3.5", group="ours", description="""\
[ClickHouse] SHALL name a part that a lightweight `UPDATE` creates `patch-<hash>-<partition id>_<block>_<block>_<level>_<mutation version>`, with one hash for all patches of the same columns, and create one for each partition in which it changes rows.

Such a patch part is active; it holds the changed values of the changed rows only. The partition id in `system.parts` is `patch-<hash>-<partition id>`.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Metadata", "1.1", level=3, num="4.1", group="ours", description="""\
[ClickHouse] SHALL store in the directory of each part the files `checksums.txt`, `columns.txt` and `count.txt` and, if the table has a sorting key, the part's primary index.

`checksums.txt` lists the files of the part with their sizes, `columns.txt` names and types of its columns, `count.txt` the number of its rows. The primary index is `primary.cidx`, or `primary.idx` when `compress_primary_key = 0`; a table with `ORDER BY tuple()` has none. The directory is the column `path` of `system.parts`.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Partition", "1.0", level=3, num="4.2", group="ours", description="""\
[ClickHouse] SHALL store in the directory of each part of a partitioned table the partition value (`partition.dat`) and the smallest and greatest value of each column of the partition key (`minmax_<column>.idx`).\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.PrimaryIndex", "1.0", level=3, num="4.3", group="ours", description="""\
[ClickHouse] SHALL store in a part a sparse primary index: the key of the first row of each granule, in the order of the rows, and behind them the key of the last row.

A granule has `index_granularity` rows, the last one of a part what is left. In a compact part, what is left joins the granule before if it is less than half a granule.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex_Compressed = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.PrimaryIndex.Compressed", "1.0", level=3, num="4.4", group="ours", description="""\
[ClickHouse] SHALL store the primary index of a part compressed, in `primary.cidx`, unless `compress_primary_key` is 0, with which it is stored as it is, in `primary.idx`.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_SkipIndexes = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.SkipIndexes", "1.0", level=3, num="4.5", group="ours", description="""\
[ClickHouse] SHALL store in a part the data of each data skipping index that the table has when the part is written, and use it wherever the part is attached.

A part that was written before the index was added has no data of it until `MATERIALIZE INDEX` or a merge rewrites the part.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_Statistics = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Statistics", "1.0", level=3, num="4.6", group="ours", description="""\
[ClickHouse] SHALL store in a part the statistics of its columns when a merge writes it, and when an `INSERT` with `materialize_statistics_on_insert = 1` does.

`system.parts_columns` shows their types in the column `statistics` and the smallest and greatest values in `estimates`.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.OtherTable", "1.0", level=3, num="4.7", group="ours", description="""\
[ClickHouse] SHALL attach a part whose directory was copied into the `detached` directory of another table with the same structure, partition key and sorting key, and return its rows from that table.

No catalogue outside the part is needed to understand it.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Checksums", "1.0", level=3, num="4.8", group="ours", description="""\
[ClickHouse] SHALL report a part whose data file no longer fits its checksum as not passed in the result of `CHECK TABLE`.\
""")

RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete = Requirement("RQ.SRS-102.ClickHouse.TableParts.SelfContained.AttachIncomplete", "1.0", level=3, num="4.9", group="ours", description="""\
[ClickHouse] SHALL refuse to attach a part whose directory lacks a data file and leave it detached.\
""")

RQ_SRS_102_ClickHouse_TableParts_Format_Wide = Requirement("RQ.SRS-102.ClickHouse.TableParts.Format.Wide", "1.1", level=3, num="5.1", group="ours", description="""\
[ClickHouse] SHALL store each column of a part of type `Wide` in files of its own.

The columns of a Nested structure share the file with the lengths of their arrays, which are equal.\
""")

RQ_SRS_102_ClickHouse_TableParts_Format_Compact = Requirement("RQ.SRS-102.ClickHouse.TableParts.Format.Compact", "1.0", level=3, num="5.2", group="ours", description="""\
[ClickHouse] SHALL store all columns of a part of type `Compact` in the one file `data.bin`.\
""")

RQ_SRS_102_ClickHouse_TableParts_Format_Threshold = Requirement("RQ.SRS-102.ClickHouse.TableParts.Format.Threshold", "1.2", level=3, num="5.3", group="ours", description="""\
[ClickHouse] SHALL choose the format of a part by what it is written from:

* an insert, or a merge of compact parts, writes a part as `Compact` if the inserted or merged rows are fewer than `min_rows_for_wide_part`, their uncompressed bytes fewer than `min_bytes_for_wide_part` or its level is below `min_level_for_wide_part`, and as `Wide` otherwise;
* a merge that has a wide part among its sources writes a wide part;
* a mutation keeps the format.

The rows that a merge replaces count as well. A part that shrinks thus stays wide.

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
""")

RQ_SRS_102_ClickHouse_TableParts_Format_Packed = Requirement("RQ.SRS-102.ClickHouse.TableParts.Format.Packed", "1.0", level=3, num="5.4", group="ours", description="""\
[ClickHouse] SHALL write a part as one file `data.packed`, with `Packed` as its `part_storage_type`, if it has fewer rows than `min_rows_for_full_part_storage`, fewer uncompressed bytes than `min_bytes_for_full_part_storage` or a level below `min_level_for_full_part_storage`, and otherwise as files by themselves (`Full`).

By default the thresholds are 0 and no part is packed.\
""")

RQ_SRS_102_ClickHouse_TableParts_Compression = Requirement("RQ.SRS-102.ClickHouse.TableParts.Compression", "1.0", level=3, num="5.5", group="ours", description="""\
[ClickHouse] SHALL compress the data of each column by itself, by the codec that the column declares or, if it declares none, by the default codec of the part.

The default is LZ4. The codec `NONE` leaves the data as they are.\
""")

RQ_SRS_102_ClickHouse_TableParts_Immutable = Requirement("RQ.SRS-102.ClickHouse.TableParts.Immutable", "1.0", level=3, num="6.1", group="ours", description="""\
[ClickHouse] SHALL leave the files of an existing part unchanged when rows are inserted, parts are merged or a mutation runs.

The column `hash_of_all_files` of `system.parts` stays the same for as long as the part exists.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_Background = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.Background", "1.0", level=3, num="7.1", group="ours", description="""\
[ClickHouse] SHALL combine small parts of a partition into larger ones in the background, without a command.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.SameRows", "1.0", level=3, num="7.2", group="ours", description="""\
[ClickHouse] SHALL keep all rows of the merged parts in the part that a merge of a plain `MergeTree` table writes, in the order of the sorting key.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.WithinPartition", "1.0", level=3, num="7.3", group="ours", description="""\
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
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.SourcesInactive", "1.0", level=3, num="7.4", group="ours", description="""\
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
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.SizeLimit", "1.1", level=3, num="7.5", group="ours", description="""\
[ClickHouse] SHALL start no background merge of parts that together are larger on disk, compressed, than `max_bytes_to_merge_at_max_space_in_pool`, however large their data are before they are compressed.

The default is 150 GiB. `OPTIMIZE TABLE ... FINAL` is no background merge and is not limited by it.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_NumberOfParts = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.NumberOfParts", "1.0", level=3, num="7.6", group="ours", description="""\
[ClickHouse] SHALL merge parts while rows are inserted, so that many small inserts, one after another, are accepted also where they are more than `parts_to_throw_insert`.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_SimilarSizes = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.SimilarSizes", "1.0", level=3, num="7.7", group="ours", description="""\
[ClickHouse] SHALL merge small parts in the background with one another, and not with a part that is much larger than all of them together.

A large part is thus not rewritten for each few rows that come. By age alone (`min_age_to_force_merge_seconds`), and with `OPTIMIZE`, parts of all sizes are merged.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_Age = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.Age", "1.0", level=3, num="7.8", group="ours", description="""\
[ClickHouse] SHALL merge parts of a partition in the background, few and small as they may be, once each of them is `min_age_to_force_merge_seconds` old.

By default, with 0, age alone is no reason for a merge.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_Stopped = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.Stopped", "1.0", level=3, num="7.9", group="ours", description="""\
[ClickHouse] SHALL merge no parts of a table between `SYSTEM STOP MERGES` and `SYSTEM START MERGES` of that table, neither in the background nor by `OPTIMIZE`, which is refused with `ABORTED` (236).\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_MaskedRows = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.MaskedRows", "1.0", level=3, num="7.10", group="ours", description="""\
[ClickHouse] SHALL leave out of the part that a merge writes the rows that a lightweight `DELETE` has masked in its sources.

Until then the masked rows are in their parts: `has_lightweight_delete` of `system.parts` is 1, and `apply_deleted_mask = 0` shows them.\
""")

RQ_SRS_102_ClickHouse_TableParts_Merge_ExpiredRows = Requirement("RQ.SRS-102.ClickHouse.TableParts.Merge.ExpiredRows", "1.0", level=3, num="7.11", group="ours", description="""\
[ClickHouse] SHALL remove by merges in the background the rows whose `TTL` has passed, and a part all of whose rows have expired as a whole.\
""")

RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart = Requirement("RQ.SRS-102.ClickHouse.TableParts.Mutation.NewPart", "1.0", level=3, num="8.1", group="ours", description="""\
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
""")

RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks = Requirement("RQ.SRS-102.ClickHouse.TableParts.Mutation.Blocks", "1.0", level=3, num="8.2", group="ours", description="""\
[ClickHouse] SHALL keep partition, block numbers and level of a part in the name of the part that a mutation writes for it.\
""")

RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart = Requirement("RQ.SRS-102.ClickHouse.TableParts.Mutation.EmptyPart", "1.0", level=3, num="8.3", group="ours", description="""\
[ClickHouse] SHALL remove by itself a part that a mutation left without rows, unless the table's setting `remove_empty_parts` is 0.\
""")

RQ_SRS_102_ClickHouse_TableParts_Crash_Insert = Requirement("RQ.SRS-102.ClickHouse.TableParts.Crash.Insert", "1.0", level=3, num="9.1", group="ours", description="""\
[ClickHouse] SHALL start after it was killed while an `INSERT` wrote a part with the parts and rows that were there before the `INSERT`, and remove what was written of the part.\
""")

RQ_SRS_102_ClickHouse_TableParts_Crash_Merge = Requirement("RQ.SRS-102.ClickHouse.TableParts.Crash.Merge", "1.0", level=3, num="9.2", group="ours", description="""\
[ClickHouse] SHALL start after it was killed in the middle of a merge with the sources of the merge active and all their rows, and remove what was written of the merged part.\
""")

RQ_SRS_102_ClickHouse_TableParts_Crash_Mutation = Requirement("RQ.SRS-102.ClickHouse.TableParts.Crash.Mutation", "1.0", level=3, num="9.3", group="ours", description="""\
[ClickHouse] SHALL start after it was killed in the middle of a mutation without a part that was written in half, and finish the mutation by itself.\
""")

RQ_SRS_102_ClickHouse_TableParts_Crash_Drop = Requirement("RQ.SRS-102.ClickHouse.TableParts.Crash.Drop", "1.0", level=3, num="9.4", group="ours", description="""\
[ClickHouse] SHALL start after it was killed while it executed `DROP PARTITION` with either all rows of the partition or none of them.\
""")

RQ_SRS_102_ClickHouse_TableParts_Crash_Truncate = Requirement("RQ.SRS-102.ClickHouse.TableParts.Crash.Truncate", "1.0", level=3, num="9.5", group="ours", description="""\
[ClickHouse] SHALL start after it was killed while it executed `TRUNCATE TABLE` with either all rows of the table or none of them.\
""")

RQ_SRS_102_ClickHouse_TableParts_Crash_Detach = Requirement("RQ.SRS-102.ClickHouse.TableParts.Crash.Detach", "1.0", level=3, num="9.6", group="ours", description="""\
[ClickHouse] SHALL after a crash during `ALTER TABLE ... DETACH PARTITION` have each row of the partition once, in the table or in a detached part.\
""")

RQ_SRS_102_ClickHouse_TableParts_Move_Command = Requirement("RQ.SRS-102.ClickHouse.TableParts.Move.Command", "1.0", level=3, num="10.1", group="ours", description="""\
[ClickHouse] SHALL move the part named in `ALTER TABLE ... MOVE PART`, or all parts of the partition named in `ALTER TABLE ... MOVE PARTITION`, to the disk or volume named there, under the same names and with the same content, and remove them from where they were.

The disk can be an object store.\
""")

RQ_SRS_102_ClickHouse_TableParts_Move_TTL = Requirement("RQ.SRS-102.ClickHouse.TableParts.Move.TTL", "1.0", level=3, num="10.2", group="ours", description="""\
[ClickHouse] SHALL move a part by itself to the disk that a `TTL ... TO DISK` of the table names once the time of all its rows has passed, and write a part whose time has already passed there at once.\
""")

RQ_SRS_102_ClickHouse_TableParts_Freeze = Requirement("RQ.SRS-102.ClickHouse.TableParts.Freeze", "1.0", level=3, num="11.1", group="ours", description="""\
[ClickHouse] SHALL keep under the name given in `ALTER TABLE ... FREEZE` the parts that are active at that time, of one partition or of all, with their files as they are, whatever happens to the table afterwards, until `ALTER TABLE ... UNFREEZE` removes them.

The parts lie in the directory `shadow` of their disk and share their files with those of the table, but for `metadata_version.txt`, which only the table's own parts have; copied to the `detached` directory of a table they can be attached.\
""")

RQ_SRS_102_ClickHouse_TableParts_Log = Requirement("RQ.SRS-102.ClickHouse.TableParts.Log", "1.0", level=3, num="12.1", group="ours", description="""\
[ClickHouse] SHALL write to `system.part_log` one event for each part that an insert creates (`NewPart`), a merge writes (`MergeParts`), a mutation writes (`MutatePart`), a move takes to another disk (`MovePart`) and cleaning removes (`RemovePart`), with the rows of the part and, for merges and mutations, the parts it was made of.\
""")

RQ_SRS_102_ClickHouse_TableParts_Active_Read = Requirement("RQ.SRS-102.ClickHouse.TableParts.Active.Read", "1.0", level=3, num="13.1", group="ours", description="""\
[ClickHouse] SHALL return from a `SELECT` that starts after a merge or mutation has finished only rows of active parts.

The virtual column `_part` names the part that a row comes from.\
""")

RQ_SRS_102_ClickHouse_TableParts_Active_RunningQuery = Requirement("RQ.SRS-102.ClickHouse.TableParts.Active.RunningQuery", "1.0", level=3, num="13.2", group="ours", description="""\
[ClickHouse] SHALL let a running `SELECT` read to its end the parts that were active when it started, even if they are superseded meanwhile.\
""")

RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime = Requirement("RQ.SRS-102.ClickHouse.TableParts.Inactive.Lifetime", "1.1", level=3, num="13.3", group="ours", description="""\
[ClickHouse] SHALL keep a superseded part on disk until `old_parts_lifetime` seconds of the clock have begun since it became inactive.

The clock counts whole seconds: a part that is superseded late in a second can go up to one second earlier than the setting says.\
""")

RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal = Requirement("RQ.SRS-102.ClickHouse.TableParts.Inactive.Removal", "1.0", level=3, num="13.4", group="ours", description="""\
[ClickHouse] SHALL delete the directory of a superseded part by itself once `old_parts_lifetime` has passed and no query reads the part.

Cleaning runs at intervals (`cleanup_delay_period`, `max_cleanup_delay_period`, `merge_tree_clear_old_parts_interval_seconds`), so the end of the lifetime is the earliest moment, not the exact one.\
""")

RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart = Requirement("RQ.SRS-102.ClickHouse.TableParts.Inactive.Restart", "1.0", level=3, num="13.5", group="ours", description="""\
[ClickHouse] SHALL NOT make a superseded part active again after a restart of the server as long as its successor is intact.\
""")

RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery = Requirement("RQ.SRS-102.ClickHouse.TableParts.Inactive.Recovery", "1.0", level=3, num="13.6", group="ours", description="""\
[ClickHouse] SHALL make superseded parts that are still on disk active again if the server finds their successor broken at its start.

This is what the lifetime of inactive parts is for.\
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_Command = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.Command", "1.0", level=3, num="14.1", group="ours", description="""\
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
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_Attach = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.Attach", "1.0", level=3, num="14.2", group="ours", description="""\
[ClickHouse] SHALL make the rows of a detached part current data again on `ALTER TABLE ... ATTACH PART`, under a part name with a new block number.\
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_Kept = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.Kept", "1.0", level=3, num="14.3", group="ours", description="""\
[ClickHouse] SHALL keep a part detached by command until it is attached or dropped by command, restarts of the server included.

In contrast to an inactive part it has no lifetime.\
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_Broken = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.Broken", "1.0", level=3, num="14.4", group="ours", description="""\
[ClickHouse] SHALL detach a part that it finds broken when the server starts, give `broken-on-start` as the reason in `system.detached_parts`, and serve the table's other parts.\
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_Reasons = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.Reasons", "1.0", level=3, num="14.5", group="ours", description="""\
[ClickHouse] SHALL tell in `system.detached_parts` why it has detached a part by itself:

| reason | why |
|---|---|
| `broken-on-start` | it was found broken when the server started |
| `broken` | it was found broken while the server ran |
| `covered-by-broken` | it is covered by a part that is broken |
| `unexpected`, `ignored` | a replica has it and the others do not know it |
| `noquorum` | it was inserted with a quorum that was not reached |
| `clone` | it was there before a replica was made anew from another one |
| `merge-not-byte-identical`, `mutate-not-byte-identical` | a replica has made other bytes than the others |\
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_Covered = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.Covered", "1.1", level=3, num="14.6", group="ours", description="""\
[ClickHouse] SHALL attach, on `ALTER TABLE ... ATTACH PARTITION`, of detached parts that cover one another only the covering one, and leave the covered ones detached under names with the prefix `inactive_`.

What `system.detached_parts` says about the reason and partition of parts with this prefix is not promised.\
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_Unknown = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.Unknown", "1.0", level=3, num="14.7", group="ours", description="""\
[ClickHouse] SHALL list a directory in `detached` whose name is no name of a part in `system.detached_parts` without a reason and without a partition (`NULL`), and keep it.\
""")

RQ_SRS_102_ClickHouse_TableParts_Travel_TTL = Requirement("RQ.SRS-102.ClickHouse.TableParts.Travel.TTL", "1.0", level=3, num="15.1", group="ours", description="""\
[ClickHouse] SHALL remove expired rows, and reset expired columns, of a part that came from another table or was attached again as the TTL of its table says, and not as the TTL says with which it was written.

A part comes from another table by `REPLACE PARTITION`, `ATTACH PARTITION ... FROM` and `MOVE PARTITION ... TO TABLE`; a part that was detached is attached again after `MODIFY TTL`.\
""")

RQ_SRS_102_ClickHouse_TableParts_Travel_PendingChanges = Requirement("RQ.SRS-102.ClickHouse.TableParts.Travel.PendingChanges", "1.0", level=3, num="15.2", group="ours", description="""\
[ClickHouse] SHALL apply an `ALTER TABLE` that was answered to all rows that were in the table, also where their parts are detached and attached again, are moved to another table, or are attached to another table with the same structure, before their files have been changed.

This holds for `UPDATE` and `DELETE`, and for `RENAME COLUMN`, `MODIFY COLUMN` and `DROP COLUMN`. Before an `UPDATE` or `DELETE` is applied a read returns the old rows, and `ATTACH PARTITION ... FROM` may copy these.\
""")

RQ_SRS_102_ClickHouse_TableParts_Travel_ChangedWhileDetached = Requirement("RQ.SRS-102.ClickHouse.TableParts.Travel.ChangedWhileDetached", "1.0", level=3, num="15.3", group="ours", description="""\
[ClickHouse] SHALL return from a part that is attached again the values that it would return had it never been detached, where columns were renamed, dropped, added or changed meanwhile, or refuse to attach it.\
""")

RQ_SRS_102_ClickHouse_TableParts_Update_Acknowledged = Requirement("RQ.SRS-102.ClickHouse.TableParts.Update.Acknowledged", "1.0", level=3, num="15.4", group="ours", description="""\
[ClickHouse] SHALL keep what an `UPDATE` has written that it answered, also where another statement that changes other columns is executed while the `UPDATE` runs.\
""")

RQ_SRS_102_ClickHouse_TableParts_Update_PartitionStatements = Requirement("RQ.SRS-102.ClickHouse.TableParts.Update.PartitionStatements", "1.0", level=3, num="15.5", group="ours", description="""\
[ClickHouse] SHALL act as if `DETACH PARTITION`, `MOVE PARTITION ... TO TABLE` and `REPLACE PARTITION` were executed before or after an `UPDATE` that is running, or refuse one of the two.\
""")

RQ_SRS_102_ClickHouse_TableParts_Update_Snapshots = Requirement("RQ.SRS-102.ClickHouse.TableParts.Update.Snapshots", "1.0", level=3, num="15.6", group="ours", description="""\
[ClickHouse] SHALL give back from what `ALTER TABLE ... FREEZE` and `BACKUP TABLE` have kept the rows that the table returned at that time, also where an `UPDATE` or a lightweight `DELETE` has not been merged into the parts.\
""")

RQ_SRS_102_ClickHouse_TableParts_Indexes_SpecialFloats = Requirement("RQ.SRS-102.ClickHouse.TableParts.Indexes.SpecialFloats", "1.0", level=3, num="15.7", group="ours", description="""\
[ClickHouse] SHALL return every row for which a condition is true, whichever parts and granules partition keys, primary keys, skip indexes and statistics exclude, also where a column has `nan`, `inf`, `0.0` or `-0.0`.\
""")

RQ_SRS_102_ClickHouse_TableParts_Indexes_TopRows = Requirement("RQ.SRS-102.ClickHouse.TableParts.Indexes.TopRows", "1.0", level=3, num="15.8", group="ours", description="""\
[ClickHouse] SHALL return from `ORDER BY ... LIMIT` the first rows of the full order, also where a skip index on the column chooses the granules and the column has `nan` or `NULL`.\
""")

RQ_SRS_102_ClickHouse_TableParts_Indexes_MergedValues = Requirement("RQ.SRS-102.ClickHouse.TableParts.Indexes.MergedValues", "1.0", level=3, num="15.9", group="ours", description="""\
[ClickHouse] SHALL return from `SELECT ... FINAL` every merged row for which a condition is true, also where a skip index on the column of the condition excludes granules by the values that they have before the merge.\
""")

RQ_SRS_102_ClickHouse_TableParts_Insert_EqualKeys = Requirement("RQ.SRS-102.ClickHouse.TableParts.Insert.EqualKeys", "1.0", level=3, num="15.10", group="ours", description="""\
[ClickHouse] SHALL put rows with equal values of the partition key into the same partition, whichever other rows are inserted with them.

`0.0` and `-0.0` are equal.\
""")

RQ_SRS_102_ClickHouse_TableParts_Detached_EmptiedFile = Requirement("RQ.SRS-102.ClickHouse.TableParts.Detached.EmptiedFile", "1.0", level=3, num="15.11", group="ours", description="""\
[ClickHouse] SHALL serve all rows of a part after a start if the only damage is that a small file was emptied whose content the other files of the part, or the definition of the table, determine.

A power failure leaves such files: they exist, and their content was not written yet.\
""")

RQ_SRS_102_ClickHouse_TableParts_Travel_ModifiedTTL = Requirement("RQ.SRS-102.ClickHouse.TableParts.Travel.ModifiedTTL", "1.0", level=3, num="15.12", group="ours", description="""\
[ClickHouse] SHALL keep the rows, and the values of a column, that were there when `MODIFY TTL`, `MODIFY COLUMN` or `REMOVE TTL` was answered and that the new TTL does not call expired, whether the parts have been rewritten for it or not.\
""")

RQ_SRS_102_ClickHouse_TableParts_Move_ChangedTTL = Requirement("RQ.SRS-102.ClickHouse.TableParts.Move.ChangedTTL", "1.0", level=3, num="15.13", group="ours", description="""\
[ClickHouse] SHALL move parts that were there before a TTL with `TO DISK` was set as soon as the TTL is materialized in them, to the disk of that one of several TTLs whose time came last.

`MODIFY TTL` materializes the TTL by default; with `materialize_ttl_after_modify = 0` the statement `MATERIALIZE TTL` does.\
""")

RQ_SRS_102_ClickHouse_TableParts_Indexes_PendingChanges = Requirement("RQ.SRS-102.ClickHouse.TableParts.Indexes.PendingChanges", "1.0", level=3, num="15.14", group="ours", description="""\
[ClickHouse] SHALL carry out several `ALTER TABLE` that add a column and add and build indexes on it, although none has reached the parts when the next one is issued, and refuse to drop an index that waits to be built.\
""")

RQ_SRS_102_ClickHouse_TableParts_Freeze_PendingProjection = Requirement("RQ.SRS-102.ClickHouse.TableParts.Freeze.PendingProjection", "1.0", level=3, num="15.15", group="ours", description="""\
[ClickHouse] SHALL freeze a partition while `DROP PROJECTION` waits so that the snapshot can be attached, with all rows, to a table with the projection and to one without.\
""")

SRS_102 = Specification(
    name="SRS-102 ClickHouse Table Parts",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=(
        Specification.Heading("Introduction", 2, "1"),
        Specification.Heading("Creation", 2, "2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts", 3, "2.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.NewPart", 3, "2.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerPartition", 3, "2.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.PartPerBlock", 3, "2.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.NoRows", 3, "2.5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.Failed", 3, "2.6"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.Cancelled", 3, "2.7"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.TooManyPartitions", 3, "2.8"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.TooManyParts", 3, "2.9"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.Delayed", 3, "2.10"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.Sorted", 3, "2.11"),
        Specification.Heading("Names", 2, "3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Name", 3, "3.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Name.BlockNumber", 3, "3.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Name.InsertLevel", 3, "3.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Name.MergeLevel", 3, "3.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Name.Patch", 3, "3.5"),
        Specification.Heading("Self-Containment", 2, "4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Metadata", 3, "4.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Partition", 3, "4.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.PrimaryIndex", 3, "4.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.PrimaryIndex.Compressed", 3, "4.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.SkipIndexes", 3, "4.5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Statistics", 3, "4.6"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.OtherTable", 3, "4.7"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.Checksums", 3, "4.8"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.SelfContained.AttachIncomplete", 3, "4.9"),
        Specification.Heading("Formats", 2, "5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Format.Wide", 3, "5.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Format.Compact", 3, "5.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Format.Threshold", 3, "5.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Format.Packed", 3, "5.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Compression", 3, "5.5"),
        Specification.Heading("Immutability", 2, "6"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Immutable", 3, "6.1"),
        Specification.Heading("Merges", 2, "7"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.Background", 3, "7.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.SameRows", 3, "7.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.WithinPartition", 3, "7.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.SourcesInactive", 3, "7.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.SizeLimit", 3, "7.5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.NumberOfParts", 3, "7.6"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.SimilarSizes", 3, "7.7"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.Age", 3, "7.8"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.Stopped", 3, "7.9"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.MaskedRows", 3, "7.10"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Merge.ExpiredRows", 3, "7.11"),
        Specification.Heading("Mutations", 2, "8"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Mutation.NewPart", 3, "8.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Mutation.Blocks", 3, "8.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Mutation.EmptyPart", 3, "8.3"),
        Specification.Heading("Crashes", 2, "9"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Crash.Insert", 3, "9.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Crash.Merge", 3, "9.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Crash.Mutation", 3, "9.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Crash.Drop", 3, "9.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Crash.Truncate", 3, "9.5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Crash.Detach", 3, "9.6"),
        Specification.Heading("Moves", 2, "10"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Move.Command", 3, "10.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Move.TTL", 3, "10.2"),
        Specification.Heading("Snapshots", 2, "11"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Freeze", 3, "11.1"),
        Specification.Heading("Log", 2, "12"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Log", 3, "12.1"),
        Specification.Heading("Active and Inactive Parts", 2, "13"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Active.Read", 3, "13.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Active.RunningQuery", 3, "13.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Inactive.Lifetime", 3, "13.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Inactive.Removal", 3, "13.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Inactive.Restart", 3, "13.5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Inactive.Recovery", 3, "13.6"),
        Specification.Heading("Detached Parts", 2, "14"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.Command", 3, "14.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.Attach", 3, "14.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.Kept", 3, "14.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.Broken", 3, "14.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.Reasons", 3, "14.5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.Covered", 3, "14.6"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.Unknown", 3, "14.7"),
        Specification.Heading("Parts and Statements That Meet", 2, "15"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Travel.TTL", 3, "15.1"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Travel.PendingChanges", 3, "15.2"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Travel.ChangedWhileDetached", 3, "15.3"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Update.Acknowledged", 3, "15.4"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Update.PartitionStatements", 3, "15.5"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Update.Snapshots", 3, "15.6"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Indexes.SpecialFloats", 3, "15.7"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Indexes.TopRows", 3, "15.8"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Indexes.MergedValues", 3, "15.9"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Insert.EqualKeys", 3, "15.10"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Detached.EmptiedFile", 3, "15.11"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Travel.ModifiedTTL", 3, "15.12"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Move.ChangedTTL", 3, "15.13"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Indexes.PendingChanges", 3, "15.14"),
        Specification.Heading("RQ.SRS-102.ClickHouse.TableParts.Freeze.PendingProjection", 3, "15.15"),
        Specification.Heading("Sources", 2, "16"),
    ),
    requirements=(
        RQ_SRS_102_ClickHouse_TableParts,
        RQ_SRS_102_ClickHouse_TableParts_Insert_NewPart,
        RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerPartition,
        RQ_SRS_102_ClickHouse_TableParts_Insert_PartPerBlock,
        RQ_SRS_102_ClickHouse_TableParts_Insert_NoRows,
        RQ_SRS_102_ClickHouse_TableParts_Insert_Failed,
        RQ_SRS_102_ClickHouse_TableParts_Insert_Cancelled,
        RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyPartitions,
        RQ_SRS_102_ClickHouse_TableParts_Insert_TooManyParts,
        RQ_SRS_102_ClickHouse_TableParts_Insert_Delayed,
        RQ_SRS_102_ClickHouse_TableParts_Insert_Sorted,
        RQ_SRS_102_ClickHouse_TableParts_Name,
        RQ_SRS_102_ClickHouse_TableParts_Name_BlockNumber,
        RQ_SRS_102_ClickHouse_TableParts_Name_InsertLevel,
        RQ_SRS_102_ClickHouse_TableParts_Name_MergeLevel,
        RQ_SRS_102_ClickHouse_TableParts_Name_Patch,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_Metadata,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_Partition,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_PrimaryIndex_Compressed,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_SkipIndexes,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_Statistics,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums,
        RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete,
        RQ_SRS_102_ClickHouse_TableParts_Format_Wide,
        RQ_SRS_102_ClickHouse_TableParts_Format_Compact,
        RQ_SRS_102_ClickHouse_TableParts_Format_Threshold,
        RQ_SRS_102_ClickHouse_TableParts_Format_Packed,
        RQ_SRS_102_ClickHouse_TableParts_Compression,
        RQ_SRS_102_ClickHouse_TableParts_Immutable,
        RQ_SRS_102_ClickHouse_TableParts_Merge_Background,
        RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows,
        RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition,
        RQ_SRS_102_ClickHouse_TableParts_Merge_SourcesInactive,
        RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit,
        RQ_SRS_102_ClickHouse_TableParts_Merge_NumberOfParts,
        RQ_SRS_102_ClickHouse_TableParts_Merge_SimilarSizes,
        RQ_SRS_102_ClickHouse_TableParts_Merge_Age,
        RQ_SRS_102_ClickHouse_TableParts_Merge_Stopped,
        RQ_SRS_102_ClickHouse_TableParts_Merge_MaskedRows,
        RQ_SRS_102_ClickHouse_TableParts_Merge_ExpiredRows,
        RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart,
        RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks,
        RQ_SRS_102_ClickHouse_TableParts_Mutation_EmptyPart,
        RQ_SRS_102_ClickHouse_TableParts_Crash_Insert,
        RQ_SRS_102_ClickHouse_TableParts_Crash_Merge,
        RQ_SRS_102_ClickHouse_TableParts_Crash_Mutation,
        RQ_SRS_102_ClickHouse_TableParts_Crash_Drop,
        RQ_SRS_102_ClickHouse_TableParts_Crash_Truncate,
        RQ_SRS_102_ClickHouse_TableParts_Crash_Detach,
        RQ_SRS_102_ClickHouse_TableParts_Move_Command,
        RQ_SRS_102_ClickHouse_TableParts_Move_TTL,
        RQ_SRS_102_ClickHouse_TableParts_Freeze,
        RQ_SRS_102_ClickHouse_TableParts_Log,
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
        RQ_SRS_102_ClickHouse_TableParts_Detached_Reasons,
        RQ_SRS_102_ClickHouse_TableParts_Detached_Covered,
        RQ_SRS_102_ClickHouse_TableParts_Detached_Unknown,
        RQ_SRS_102_ClickHouse_TableParts_Travel_TTL,
        RQ_SRS_102_ClickHouse_TableParts_Travel_PendingChanges,
        RQ_SRS_102_ClickHouse_TableParts_Travel_ChangedWhileDetached,
        RQ_SRS_102_ClickHouse_TableParts_Update_Acknowledged,
        RQ_SRS_102_ClickHouse_TableParts_Update_PartitionStatements,
        RQ_SRS_102_ClickHouse_TableParts_Update_Snapshots,
        RQ_SRS_102_ClickHouse_TableParts_Indexes_SpecialFloats,
        RQ_SRS_102_ClickHouse_TableParts_Indexes_TopRows,
        RQ_SRS_102_ClickHouse_TableParts_Indexes_MergedValues,
        RQ_SRS_102_ClickHouse_TableParts_Insert_EqualKeys,
        RQ_SRS_102_ClickHouse_TableParts_Detached_EmptiedFile,
        RQ_SRS_102_ClickHouse_TableParts_Travel_ModifiedTTL,
        RQ_SRS_102_ClickHouse_TableParts_Move_ChangedTTL,
        RQ_SRS_102_ClickHouse_TableParts_Indexes_PendingChanges,
        RQ_SRS_102_ClickHouse_TableParts_Freeze_PendingProjection,
    ),
)
