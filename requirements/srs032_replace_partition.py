"""SRS-032 ClickHouse ALTER TABLE REPLACE PARTITION: generated from srs032_replace_partition.md, do not edit."""

# fmt: off
# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition", "1.0", level=3, num="6.1", description="""\
[ClickHouse] SHALL exchange the named partition of the destination for a copy of the source's partition of the same name when `REPLACE PARTITION` is executed. Afterwards the rows of the replaced partition equal the rows that the source's partition had when the statement was executed, none of the earlier rows is left in it, and all other partitions of the destination hold what they held before. The two tables may be in different databases. With `ON CLUSTER` the statement does the same on every host of the cluster.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source;
```

    ALTER TABLE destination ON CLUSTER cluster REPLACE PARTITION 1 FROM source\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_System_Parts = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.System.Parts", "1.0", level=4, num="6.2.1", description="""\
[ClickHouse] SHALL show the effect of `REPLACE PARTITION` in `system.parts`: as soon as the statement has returned, the active parts of the replaced partition are new ones, whose rows add up to those of the source's partition, and none of the parts that were active before is active still.

```sql
SELECT partition, name, part_type, rows
FROM system.parts
WHERE database = currentDatabase() AND table = 'destination' AND active;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KeepData", "1.0", level=3, num="7.1", description="""\
[ClickHouse] SHALL leave the source untouched by `REPLACE PARTITION`: every row that could be read from it before can be read from it afterwards, in the replaced partition and in all others.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.NonExistentPartition", "1.0", level=3, num="8.1", description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION` with an exception, and keep all data of the destination, when the source has no such partition: because it never had one, or because the partition was dropped, detached, moved away or truncated.

```sql
ALTER TABLE destination REPLACE PARTITION 21 FROM source; -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromTemporaryTable = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.FromTemporaryTable", "1.0", level=3, num="9.1", description="""\
[ClickHouse] SHALL accept a temporary table as the source of `REPLACE PARTITION` for a destination that is not temporary.

```sql
CREATE TEMPORARY TABLE draft (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO draft SELECT number % 4, 2000 + number FROM numbers(8);
ALTER TABLE destination REPLACE PARTITION 1 FROM draft;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TemporaryTables = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.TemporaryTables", "1.0", level=3, num="9.2", description="""\
[ClickHouse] SHALL replace a partition also where source and destination are both temporary tables of the same session.

```sql
CREATE TEMPORARY TABLE final_draft (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO final_draft SELECT 1, 3000;
ALTER TABLE final_draft REPLACE PARTITION 1 FROM draft;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.IntoOutfile", "1.0", level=3, num="10.1", description="""\
[ClickHouse] SHALL support `INTO OUTFILE` after `REPLACE PARTITION` in all forms that the clause has (`APPEND`, `TRUNCATE`, `AND STDOUT`, `COMPRESSION`, a `FORMAT` after it): the partition is replaced without any error.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source INTO OUTFILE 'replace_partition.txt';
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Format", "1.0", level=3, num="10.2", description="""\
[ClickHouse] SHALL support `FORMAT` after `REPLACE PARTITION` with every output format that it has: the partition is replaced without any error, and the answer has no rows.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source FORMAT JSON;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Settings", "1.0", level=3, num="10.3", description="""\
[ClickHouse] SHALL support `SETTINGS` after `REPLACE PARTITION`: the partition is replaced without any error, and the settings are in force for this statement and no other.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source SETTINGS max_threads = 1;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Disks", "1.1", level=3, num="11.1", description="""\
[ClickHouse] SHALL replace a partition when the source's parts lie on one disk and the destination's on another, whatever disks of their common storage policy these are. Tables on disks of different policies are [refused](#conditions).\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3 = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.S3", "1.0", level=3, num="11.2", description="""\
[ClickHouse] SHALL replace partitions of tables whose parts are stored on an S3 disk.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Replicas", "1.0", level=3, num="11.3", description="""\
[ClickHouse] SHALL make a `REPLACE PARTITION` reach a destination on another replica than the one that holds the source: executed where the source is, it leaves the rows of the source's partition in the replaced partition on every replica of the destination, also on replicas without the source.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Shards", "1.0", level=3, num="11.4", description="""\
[ClickHouse] SHALL replace partitions of tables on different shards: of a destination on one shard from a source on another, either table reached through a `Distributed` table where it is not local, and of tables that are spread over several shards, where the statement is executed on each of them. Afterwards a `Distributed` table over the destinations returns for that partition what one over the sources returns.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions", "1.0", level=3, num="11.5", description="""\
[ClickHouse] SHALL replace partitions between tables that were written by servers of different versions, so that data kept by an older server can be taken over by a newer one. It is decided by bringing the parts written by one version to a server of the other and using them once as the source and once as the replaced partition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encodings", "1.0", level=3, num="12.1", description="""\
[ClickHouse] SHALL replace partitions between tables whose data is encoded differently, be it by the codecs of their columns or by the character encoding of the strings in them; every value arrives byte for byte.

```sql
CREATE TABLE packed (p UInt8, i UInt64 CODEC(Delta, ZSTD(3))) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO packed SELECT 1, 4000 + number FROM numbers(5);
ALTER TABLE destination REPLACE PARTITION 1 FROM packed;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encryption", "1.1", level=3, num="12.2", description="""\
[ClickHouse] SHALL replace partitions between encrypted and unencrypted tables of one storage policy in every pairing: encrypted to encrypted, with the same key or another one, encrypted to unencrypted, unencrypted to encrypted, unencrypted to unencrypted. An encrypted table keeps its parts on disks of type `encrypted`. No part becomes readable that was encrypted. Tables of different policies, such as one that has encrypted disks only and one that has none, are [refused](#conditions).\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication", "1.0", level=3, num="12.3", description="""\
[ClickHouse] SHALL replace a partition of a destination whose engine removes duplicates, such as `ReplacingMergeTree`, and leave its deduplication working: read with `FINAL`, the replaced partition has one row for each sorting key that occurs in the source's partition.

```sql
CREATE TABLE latest (p UInt8, i UInt64) ENGINE = ReplacingMergeTree PARTITION BY p ORDER BY i;
ALTER TABLE latest REPLACE PARTITION 1 FROM packed;
SELECT p, i FROM latest FINAL WHERE p = 1;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PartitionTypes", "1.1", level=3, num="13.1", description="""\
`REPLACE PARTITION` SHALL give the result of the table below for every combination of a kind of partition in the source with a kind of partition in the destination.

| source \\ destination | compact parts only | wide parts only | compact and wide parts | no parts | empty parts |
|---|---|---|---|---|---|
| compact parts only | replaced | replaced | replaced | replaced | replaced |
| wide parts only | replaced | replaced | replaced | replaced | replaced |
| compact and wide parts | replaced | replaced | replaced | replaced | replaced |
| no parts | refused | refused | refused | refused | refused |
| empty parts | replaced | replaced | replaced | replaced | replaced |

*Replaced* means that the rows of the replaced partition equal those of the source's partition; with empty parts in the source there are none. *Refused* means an exception and a destination that keeps its data, as a source without the partition demands.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Corrupted", "1.1", level=3, num="13.2", description="""\
[ClickHouse] SHALL end `REPLACE PARTITION` with an error when parts of the partition are corrupted, no matter whether they belong to the source or to the destination. It is violated when the statement returns without an error. It holds for

* partitions with compact parts;
* partitions with wide parts;
* partitions with compact and wide parts.

A part is corrupted when one of its files was damaged and the part reads wrong or not at all, `CHECK TABLE` reports it, or the server loses it when it loads the table again. What the server repairs by itself, such as a missing list of checksums, is no corruption.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions", "1.0", level=3, num="14.1", description="""\
[ClickHouse] SHALL replace a partition only if all of the following hold for source and destination, and refuse the statement otherwise:

* their structure is the same: the names, the types, the order and the default expressions (`DEFAULT`, `MATERIALIZED`, `ALIAS`, `EPHEMERAL`) of the columns;
* their partition keys, their sorting keys (`ORDER BY`) and their primary keys are the same;
* their storage policy is the same.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Structure", "1.0", level=3, num="14.2", description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION` between tables of different structure and keep the destination.

```sql
CREATE TABLE other_structure (p UInt8, i UInt64, extra String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO other_structure SELECT 1, 1, 'a';
ALTER TABLE destination REPLACE PARTITION 1 FROM other_structure; -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Key", "1.0", level=3, num="14.3", description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION`, keeping the destination, between tables that differ in any of these three: the partition key, the sorting key, the primary key.

```sql
CREATE TABLE other_key (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY (i, p);
INSERT INTO other_key SELECT 1, 1;
ALTER TABLE destination REPLACE PARTITION 1 FROM other_key; -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.StoragePolicy", "1.0", level=3, num="14.4", description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION`, and keep the destination, where the two tables have different storage policies, also where the policies have a disk in common.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited", "1.0", level=3, num="15.1", description="""\
[ClickHouse] SHALL take a partition only from a table that has partitions and answer everything else after `FROM` with an exception. Which engines have partitions is said by [Prohibited.IncorrectTableEngines](#rqsrs-032clickhousealtertablereplacepartitionprohibitedincorrecttableengines).\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.OrderAndPartition", "1.0", level=3, num="15.2", description="""\
[ClickHouse] SHALL answer a `REPLACE PARTITION` that has an `ORDER BY` or a `PARTITION BY` clause with an error.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source ORDER BY i; -- refused
ALTER TABLE destination REPLACE PARTITION 1 FROM source PARTITION BY p; -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.TableFunctions", "1.0", level=3, num="15.3", description="""\
[ClickHouse] SHALL answer a `REPLACE PARTITION` whose `FROM` names a table function with an error, whichever function it is:

| kind | table functions |
|---|---|
| files and object stores | `file`, `url`, `urlCluster`, `s3`, `s3Cluster`, `gcs`, `azureBlobStorage`, `azureBlobStorageCluster`, `hdfs`, `hdfsCluster` |
| lake formats | `deltaLake`, `hudi`, `iceberg` |
| other databases | `jdbc`, `odbc`, `mongodb`, `mysql`, `postgresql`, `redis`, `sqlite` |
| other tables and servers | `cluster`, `remote`, `merge`, `view`, `dictionary` |
| made or passed data | `executable`, `format`, `generateRandom`, `input`, `null`, `numbers` |

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM file('rows.parquet'); -- refused
ALTER TABLE destination REPLACE PARTITION 1 FROM numbers(3); -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Subquery", "1.0", level=3, num="15.4", description="""\
[ClickHouse] SHALL answer a `REPLACE PARTITION` that has a subquery in the place of the source with an error.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM (SELECT * FROM source); -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Join", "1.0", level=3, num="15.5", description="""\
[ClickHouse] SHALL answer a `REPLACE PARTITION` that joins the source with another table with an error.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source INNER JOIN packed ON source.i = packed.i; -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.IncorrectTableEngines", "1.1", level=3, num="15.6", description="""\
[ClickHouse] SHALL end `REPLACE PARTITION` with an error, and keep the destination, if the engine of the source has no partitions, and take the partition from every engine that has them.

| engines | partitions | as a source |
|---|---|---|
| `MergeTree`, `ReplacingMergeTree`, `AggregatingMergeTree`, `CollapsingMergeTree`, `VersionedCollapsingMergeTree`, `GraphiteMergeTree`, the other engines of the family, and the `Replicated` form of each | their own | taken |
| `Distributed`, `MaterializedView` | those of the tables that they read | taken |
| `Memory`, `Log`, `TinyLog`, `StripeLog`, `Null`, `Set`, `Buffer`, `File`, `Merge`, `View`, and all others | none | refused |

```sql
CREATE TABLE no_partitions (p UInt8, i UInt64) ENGINE = Memory;
INSERT INTO no_partitions SELECT 1, 1;
ALTER TABLE destination REPLACE PARTITION 1 FROM no_partitions; -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent", "1.0", level=4, num="16.1.1", description="""\
[ClickHouse] SHALL let `REPLACE PARTITION` wait until the merges and the mutations that are in progress in the partition it replaces have come to their end, and only for those. It is violated when the statement returns while `system.merges` still lists such an operation for the replaced partition, when the operation is cut short instead of being waited for (`system.part_log` has it ended with an error), and when the statement is held up by a merge or a mutation of another partition.

In the example partition 1 has a mutation to do that takes about two seconds, while partition 2 has none: the statement on partition 2 returns at once.

```sql
CREATE TABLE busy (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO busy SELECT 1, number FROM numbers(100);
INSERT INTO busy SELECT 2, number FROM numbers(100);
ALTER TABLE busy DELETE IN PARTITION 1 WHERE sleepEachRow(0.02) > i SETTINGS mutations_sync = 0;
ALTER TABLE busy REPLACE PARTITION 2 FROM source;
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Merges", "1.0", level=4, num="16.2.1", description="""\
[ClickHouse] SHALL answer with an error any attempt to start a merge in the destination while a `REPLACE PARTITION` on it is running.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Mutations", "1.0", level=4, num="16.2.2", description="""\
[ClickHouse] SHALL answer with an error any attempt to start a mutation of the destination while a `REPLACE PARTITION` on it is running.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Insert = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Insert", "1.0", level=4, num="16.3.1", description="""\
`REPLACE PARTITION` SHALL stop every background merge of the replaced partition that was set off by an `INSERT INTO` there and has not ended yet.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Delete = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Delete", "1.0", level=4, num="16.3.2", description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `DELETE FROM` is still removing rows from the replaced partition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Attach", "1.0", level=4, num="16.3.3", description="""\
`REPLACE PARTITION` SHALL stop every background merge that has begun in the replaced partition since `ATTACH TABLE` brought the table back, and has not ended yet.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Detach", "1.0", level=4, num="16.3.4", description="""\
`REPLACE PARTITION` SHALL stop every background merge not yet ended in the replaced partition of a table to which `DETACH TABLE` is applied while the statement is running and the merge is in progress. If the table is gone before the statement starts, the statement is refused; the table, attached again, then has its old rows.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Optimize", "1.0", level=4, num="16.3.5", description="""\
`REPLACE PARTITION` SHALL stop every merge of the replaced partition that an `OPTIMIZE TABLE` has begun and not ended yet.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Add = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Add", "1.0", level=4, num="16.4.1", description="""\
`REPLACE PARTITION` SHALL stop every background mutation not yet ended in the replaced partition of a table that has been given a column by `ADD COLUMN`.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Drop = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Drop", "1.0", level=4, num="16.4.2", description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `DROP COLUMN` is still taking a column out of the replaced partition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Clear = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Clear", "1.0", level=4, num="16.4.3", description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `CLEAR COLUMN` is still resetting a column of the replaced partition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Modify = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Modify", "1.0", level=4, num="16.4.4", description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `MODIFY COLUMN` is still converting the replaced partition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_ModifyRemove = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.ModifyRemove", "1.0", level=4, num="16.4.5", description="""\
`REPLACE PARTITION` SHALL stop every background mutation not yet ended in the replaced partition of a table that has lost a property of a column by `MODIFY COLUMN REMOVE`.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Materialize = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Materialize", "1.0", level=4, num="16.4.6", description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `MATERIALIZE COLUMN` is still writing a column into the replaced partition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions", "1.0", level=4, num="16.5.1", description="""\
[ClickHouse] SHALL make every other statement that manipulates a partition wait for a running `REPLACE PARTITION` on that partition. The requirements that follow say it for each statement. It holds for the forms that name a part instead of the partition too: such a statement waits like the others, and if it names an old part it is refused then, because that part is gone, with nothing changed. As long as the statement waits, the partition has the old rows.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Detach", "1.0", level=4, num="16.5.2", description="""\
[ClickHouse] SHALL make `DETACH PARTITION` and `DETACH PART` wait for a `REPLACE PARTITION` of the same partition: what `DETACH PARTITION` detaches are the new rows, and the partition ends empty; `DETACH PART` of an old part detaches nothing.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Drop", "1.0", level=4, num="16.5.3", description="""\
[ClickHouse] SHALL make `DROP PARTITION` and `DROP PART` wait for a `REPLACE PARTITION` of the same partition: after `DROP PARTITION` it is empty, with neither old nor new rows in it, and after `DROP PART` of an old part it has the new rows.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Attach", "1.0", level=4, num="16.5.4", description="""\
[ClickHouse] SHALL make `ATTACH PARTITION` and `ATTACH PART` wait for a `REPLACE PARTITION` of the same partition: it ends with the new rows and the attached ones.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.AttachFrom", "1.0", level=4, num="16.5.5", description="""\
[ClickHouse] SHALL make `ATTACH PARTITION FROM` wait for a `REPLACE PARTITION` of the same partition: it ends with the new rows and those of the table attached from.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Replace", "1.0", level=4, num="16.5.6", description="""\
[ClickHouse] SHALL make a second `REPLACE PARTITION` wait for one that is running on the same partition. This holds where both have one destination, and also where the destination of the first is the source of the second: the third table then receives the rows that the first statement has put in place.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.MoveToTable", "1.0", level=4, num="16.5.7", description="""\
[ClickHouse] SHALL make `MOVE PARTITION TO TABLE` wait for a `REPLACE PARTITION` of the same partition: moved out of the destination are the new rows, all of them and nothing else.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearColumnInPartition = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearColumnInPartition", "1.0", level=4, num="16.5.8", description="""\
[ClickHouse] SHALL make `CLEAR COLUMN IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: the column has its default in every new row.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Freeze", "1.0", level=4, num="16.5.9", description="""\
[ClickHouse] SHALL make `FREEZE`, with or without `PARTITION`, wait for a `REPLACE PARTITION` of the same partition: the backup and the partition hold the new rows, all of them and nothing else.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Unfreeze", "1.0", level=4, num="16.5.10", description="""\
[ClickHouse] SHALL make `UNFREEZE`, with or without `PARTITION`, wait for a `REPLACE PARTITION` of the same partition: the backup made earlier is there until `REPLACE PARTITION` has finished and gone afterwards, and the partition has the new rows.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearIndex = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearIndex", "1.0", level=4, num="16.5.11", description="""\
[ClickHouse] SHALL make `CLEAR INDEX IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: none of the new parts keeps files of the index.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Fetch", "1.0", level=4, num="16.5.12", description="""\
[ClickHouse] SHALL make `FETCH PARTITION` wait for a `REPLACE PARTITION` of the same partition: the detached parts that it brings hold the new rows.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Move", "1.0", level=4, num="16.5.13", description="""\
[ClickHouse] SHALL make `MOVE PARTITION` and `MOVE PART` to a disk or a volume wait for a `REPLACE PARTITION` of the same partition: after `MOVE PARTITION` every new part is on the disk or the volume that was asked for, with all new rows, and `MOVE PART` of an old part moves nothing.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_UpdateInPartition = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.UpdateInPartition", "1.0", level=4, num="16.5.14", description="""\
[ClickHouse] SHALL make `UPDATE IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: the update is applied to every new row that meets its condition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_DeleteInPartition = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.DeleteInPartition", "1.0", level=4, num="16.5.15", description="""\
[ClickHouse] SHALL make `DELETE IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: every new row that meets its condition is gone and every other new row is there.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RBAC", "1.1", level=3, num="17.1", description="""\
[ClickHouse] SHALL execute `REPLACE PARTITION` only for a user who has both `SELECT` on the source and, on the destination, `INSERT` together with `ALTER DELETE`, and refuse it for any other user with the destination kept.

A privilege counts however the user came by it: granted on the table, its database or everything; to the user or to a role that is enabled, also one that came with another role; by itself or with the one it is part of, as `ALTER DELETE` is part of `ALTER TABLE` and that of `ALTER`. The privileges of a role that is not enabled do not count.

| on the source | on the destination | result |
|---|---|---|
| `SELECT` | `ALTER DELETE`, `INSERT` | replaced |
| `SELECT` | `ALTER TABLE`, `INSERT` | replaced |
| `SELECT` | `ALTER`, `INSERT` | replaced |
| `SELECT` | none, or any one of `SELECT`, `INSERT`, `ALTER DELETE`, `ALTER TABLE`, `ALTER` | refused |
| none, or any without `SELECT` | whatever | refused |\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Clone", "1.0", level=4, num="18.1.1", group="ours", description="""\
[ClickHouse] SHALL come back with exactly the old rows in the replaced partition when the server dies in the clone phase, that is, before the first temporary directory has been renamed, and is started again.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Commit", "1.0", level=4, num="18.1.2", group="ours", description="""\
[ClickHouse] SHALL come back with either exactly the old rows or exactly the new rows in the replaced partition when the server dies in the commit phase, that is, between the first rename and the answer to the client, and is started again. It is violated by a mixture of the two, by rows that occur more often than in either, and by rows that are in neither.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_AttachFrom = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.AttachFrom", "1.0", level=4, num="18.1.3", group="ours", description="""\
[ClickHouse] SHALL come back with either all or none of the source's rows in addition to the old ones in the destination's partition when the server dies while it executes `ATTACH PARTITION FROM`, which clones and renames parts as `REPLACE PARTITION` does, and is started again.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Restart", "1.0", level=4, num="18.1.4", group="ours", description="""\
[ClickHouse] SHALL have exactly the new rows in the replaced partition after a restart if `REPLACE PARTITION` had been answered without an error before it, no matter whether the server was shut down or killed and how soon after the answer.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery", "1.0", level=4, num="18.2.1", group="ours", description="""\
[ClickHouse] SHALL leave either exactly the old rows or exactly the new rows in the replaced partition when a running `REPLACE PARTITION` is killed by `KILL QUERY`. It is observed once the statement is no longer running.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery.Answer", "1.0", level=4, num="18.2.2", group="ours", description="""\
[ClickHouse] SHALL report a `REPLACE PARTITION` as cancelled by `KILL QUERY` only if the replaced partition still has exactly the old rows. It is violated when the client receives `QUERY_WAS_CANCELLED` (394) and the new rows are in place.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_OtherStatements = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery.OtherStatements", "1.0", level=4, num="18.2.3", group="ours", description="""\
[ClickHouse] SHALL report other statements on a partition, `ATTACH PARTITION FROM`, `MOVE PARTITION TO TABLE` and `DROP PARTITION`, as cancelled by `KILL QUERY` only if they have changed nothing. It is violated when the client receives `QUERY_WAS_CANCELLED` (394) and rows were added to a table or are gone.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.ClientDisconnect", "1.0", level=4, num="18.2.4", group="ours", description="""\
[ClickHouse] SHALL bring a `REPLACE PARTITION` whose client has disconnected to an end by itself, with either exactly the old rows or exactly the new rows in the replaced partition. It is observed once the statement is no longer running.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Readers", "1.0", level=4, num="18.3.1", group="ours", description="""\
[ClickHouse] SHALL give every single `SELECT` that runs at the same time as `REPLACE PARTITION` either exactly the old rows or exactly the new rows of the replaced partition, and never a mixture, a part or none of them.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SameDestination", "1.0", level=4, num="18.3.2", group="ours", description="""\
[ClickHouse] SHALL leave exactly the rows of one of the sources in the replaced partition when several clients replace that partition at the same time, each from a source of its own or several of them from the same one, and at least one of them succeeds. It is violated by rows of two sources, by rows that occur more often than in their source, and by an empty partition.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Order = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Order", "1.0", level=4, num="18.3.3", group="ours", description="""\
[ClickHouse] SHALL execute `REPLACE PARTITION`, `ATTACH PARTITION FROM` and `MOVE PARTITION TO TABLE` that run at the same time and that are about the same partition of the same tables so that all tables end with the rows that the same statements leave in some order, one after the other. It is violated by two `REPLACE PARTITION` in opposite directions that exchange the rows of the tables, and by a statement that puts rows into its destination that were no longer in its source when another statement, which it was not affected by, had been answered.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourceMutations = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SourceMutations", "1.0", level=4, num="18.3.4", group="ours", description="""\
[ClickHouse] SHALL put the rows into the replaced partition that a reader of the source sees in its partition when `REPLACE PARTITION` begins, also while a mutation set off by `UPDATE`, `DELETE`, `MATERIALIZE COLUMN`, `CLEAR COLUMN`, `DROP COLUMN`, `RENAME COLUMN` or `MODIFY COLUMN` is rewriting the parts of the source. The mutation goes on in the source and does not reach the destination.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_ColumnChanges = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.ColumnChanges", "1.0", level=4, num="18.3.5", group="ours", description="""\
[ClickHouse] SHALL leave the replaced partition as if the statements had come one after the other when columns of the source or of the destination are added, dropped, renamed, modified or cleared by an `ALTER TABLE` that is issued while `REPLACE PARTITION` is running and succeeds as well. It is violated when a new row has another value in a column than it has in either order.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_LightweightUpdates = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.LightweightUpdates", "1.0", level=4, num="18.3.6", group="ours", description="""\
[ClickHouse] SHALL leave the new rows in the replaced partition, either all of them changed or none, when an `UPDATE … SET` or a `DELETE FROM` that writes patch parts is issued on the source or the destination while `REPLACE PARTITION` is running. Rows that the statement means in the source, and in other partitions of the destination, are changed.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AsyncInserts = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.AsyncInserts", "1.0", level=4, num="18.3.7", group="ours", description="""\
[ClickHouse] SHALL keep the rows of an asynchronous insert that waits in the queue (`async_insert = 1`) while `REPLACE PARTITION` replaces a partition of its table: when the queue has been flushed, they are in the destination in addition to the new rows, unless the insert was answered with an error. It is violated when the insert succeeds and one of its rows is not there, and when one of the old rows is.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourcePartition = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SourcePartition", "1.0", level=4, num="18.3.8", group="ours", description="""\
[ClickHouse] SHALL replace the partition with all rows that the source's had when the statement began when the source's partition is detached, dropped, attached to, frozen or moved to another disk while `REPLACE PARTITION` is cloning it.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_DifferentPartitions = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.DifferentPartitions", "1.0", level=4, num="18.3.9", group="ours", description="""\
[ClickHouse] SHALL carry out `REPLACE PARTITION` of different partitions of one destination at the same time so that each has exactly the rows of its source.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AddConstraint = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.AddConstraint", "1.0", level=4, num="18.3.10", group="ours", description="""\
[ClickHouse] SHALL add a constraint to the source or the destination while `REPLACE PARTITION` is running, and apply it to rows that are inserted later; the new rows arrive whether they meet it or not.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_CommentColumn = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.CommentColumn", "1.0", level=4, num="18.3.11", group="ours", description="""\
[ClickHouse] SHALL carry out `COMMENT COLUMN` on the source or the destination that is issued while `REPLACE PARTITION` is running, and replace the partition as without it.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_RenameColumn = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.RenameColumn", "1.0", level=4, num="18.3.12", group="ours", description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION` while a column has been renamed in one of the two tables only, and bring all values of the column under its new name when it has been renamed in both.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_MaterializedViews = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.MaterializedViews", "1.0", level=4, num="18.4.1", group="ours", description="""\
[ClickHouse] SHALL leave out the materialized views of both tables: `REPLACE PARTITION` is no insert, so a view of the destination gets none of the new rows and loses none that it has stored. A view gets what is inserted before and afterwards. The target of a view is a destination like any other table.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromRegularTable = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.FromRegularTable", "1.0", level=4, num="18.4.2", group="ours", description="""\
[ClickHouse] SHALL replace a partition of a temporary table with one of a table that is not temporary, which keeps its rows.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PatchParts = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PatchParts", "1.0", level=4, num="18.5.1", group="ours", description="""\
[ClickHouse] SHALL never bring back values that a lightweight `UPDATE` or `DELETE` has changed: a source whose partition has patch parts that are not applied yet is refused, with the destination kept, and copied with the changed rows once they are applied (`ALTER TABLE … APPLY PATCHES`). Patch parts of the destination change no new row, not even when parts are merged, patches applied or the server restarted.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ManyParts = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.ManyParts", "1.0", level=4, num="18.5.2", group="ours", description="""\
[ClickHouse] SHALL replace a partition by one of a thousand parts and more, with every row of it, whatever number of parts an `INSERT` may leave in the destination (`parts_to_throw_insert`). The limit holds for an `INSERT` afterwards.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_SeveralCommands = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.SeveralCommands", "1.1", level=4, num="18.5.3", group="ours", description="""\
[ClickHouse] SHALL carry out the commands of an `ALTER TABLE`, `REPLACE PARTITION` being one of several, in their order up to the first that is refused: each command before it has taken its whole effect, and neither that one nor any after it has taken any. If none is refused, each has taken effect.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication.Window", "1.0", level=4, num="18.6.1", group="ours", description="""\
[ClickHouse] SHALL store a block that is inserted into the replaced partition after `REPLACE PARTITION`, even if an equal block had been inserted before it and the destination remembers its inserted blocks (`non_replicated_deduplication_window`): the rows of that block went with the old parts, and after `DROP PARTITION`, `DETACH PARTITION` and `TRUNCATE TABLE`, which remove them as well, it is stored again. Blocks of other partitions are still recognised. It is violated when the `INSERT` succeeds and its rows are not there.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Secondary = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Secondary", "1.1", level=4, num="18.7.1", group="ours", description="""\
[ClickHouse] SHALL take over with the rows what the source's parts have in addition to them: the data of projections and of data skipping indexes, column statistics, and the bounds of TTLs. They serve in the destination as they did in the source: queries use the projections and the indexes. A merge removes the rows that have expired by the TTL of the destination and no others, also where the source has another TTL or none.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_DataTypes = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.DataTypes", "1.0", level=4, num="18.7.2", group="ours", description="""\
[ClickHouse] SHALL take over values of every data type as they are, also those whose structure is part of the data: `JSON` with its paths, `Dynamic` and `Variant` with the type of each value, `Map`, `Nested`, `LowCardinality`, `Nullable` and states of aggregate functions. They read the same in the destination, also after a merge with rows of another structure.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_BlockNumbers = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.BlockNumbers", "1.0", level=4, num="18.7.3", group="ours", description="""\
[ClickHouse] SHALL give the rows of the replaced partition block numbers of the destination where it keeps them (`enable_block_number_column`, `enable_block_offset_column`), also if the source's parts have numbers of their own stored in them: each row has a number within the range that the name of its part tells, which is greater than all numbers given before, and no two rows have the same number and offset, then and after a merge.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Granularity = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Granularity", "1.0", level=4, num="18.7.4", group="ours", description="""\
[ClickHouse] SHALL replace partitions between tables whose parts have a fixed index granularity (`index_granularity_bytes = 0`) and an adaptive one if the destination can have such parts, and otherwise refuse the statement and keep the destination. A destination of fixed granularity takes parts of fixed granularity only; one of adaptive granularity takes both, or only its own kind where `enable_mixed_granularity_parts = 0`.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TieredStorage = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.TieredStorage", "1.0", level=4, num="18.7.5", group="ours", description="""\
[ClickHouse] SHALL move the parts that a partition was replaced with to the volume that the destination's TTL names when the time of their rows has come, and leave those whose time has not come where they are.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption_Cleartext = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encryption.Cleartext", "1.1", level=4, num="18.8.1", group="ours", description="""\
[ClickHouse] SHALL leave no row in cleartext on the disks of an encrypted destination that was not in cleartext in the source. A destination is encrypted if all its parts lie on disks of type `encrypted` and its storage policy sends new parts there. A part of the source that lies on another disk of the policy stays on it, as `system.parts` shows, until it is moved; it is violated when a row of an encrypted part of the source can be read in a file of the destination's parts.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionExpression = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PartitionExpression", "1.0", level=4, num="18.9.1", group="ours", description="""\
[ClickHouse] SHALL replace exactly the partition that the expression after `PARTITION` names: a constant of the type of the partition key, written as a number or a string; a tuple of constants, where the key has several columns; `tuple()`, where there is no key; a query parameter; or `ID` and the partition's id, however long. It holds for keys of every type that a key can have. An expression that is no constant, that does not fit the key, or `ALL`, which names no single partition, is refused and the destination kept.

```sql
ALTER TABLE destination REPLACE PARTITION ID '1' FROM source;
ALTER TABLE destination REPLACE PARTITION tuple(1) FROM source;
ALTER TABLE destination REPLACE PARTITION ALL FROM source; -- refused
ALTER TABLE destination REPLACE PARTITION toUInt8(1) FROM source; -- refused
```\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PendingAlter", "1.0", level=4, num="18.10.1", group="ours", description="""\
[ClickHouse] SHALL give the replaced partition the rows that a reader of the source sees when the statement is executed, also where an `ALTER` of the source, of the destination or of both has not reached their parts yet: because its mutation is still to be done, as after `RENAME COLUMN`, `DROP COLUMN`, `CLEAR COLUMN`, `MODIFY COLUMN` of a type, `UPDATE`, `DELETE`, `DROP INDEX` and `MATERIALIZE`, or because the values of a column that was added later are computed from its `DEFAULT` when they are read. When the mutations are done afterwards, the rows of the destination are still the same, and a condition finds them with and without an index.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_AttachFromParity = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.AttachFromParity", "1.1", level=4, num="18.11.1", group="ours", description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION` and `ATTACH PARTITION FROM` alike, with the same error code and the destination kept, whenever the two tables differ in their structure or in a key, the source has no partitions or is no table, or the expression names no partition: both statements clone the parts of the source into the destination. Storage policies are left out, because `ATTACH PARTITION FROM` may copy the parts to another disk.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RowPolicy", "1.0", level=4, num="18.12.1", group="ours", description="""\
[ClickHouse] SHALL copy all rows of the source's partition, those included that a row policy hides from the user who executes `REPLACE PARTITION`. A row policy filters what a user reads, whereas this statement takes over whole parts; were it to leave the hidden rows out, an exchange of partitions would lose them silently. It is observed by a user without a row policy. The policy stays with the source: it protects the copied rows only if the destination has one as well.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions.StepBack", "1.0", level=4, num="18.13.1", group="ours", description="""\
[ClickHouse] SHALL either serve exactly the rows that a newer version has written, and replace partitions from and into them, or refuse to load the table or to attach the parts, when an older version than the writer opens the data folder or is given the parts. A refusal leaves the data as it was, so that the writer has all rows when it opens the folder again. It is violated by a table that is served without some of its rows.\
""")

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash = Requirement("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions.Crash", "1.0", level=4, num="18.13.2", group="ours", description="""\
[ClickHouse] SHALL have exactly the new rows in the replaced partition when the writer was killed right after it had answered that `REPLACE PARTITION` succeeded, no matter whether the data folder is opened by the same version afterwards or by the newest one.\
""")

SRS_032 = Specification(
    name="SRS-032 ClickHouse ALTER TABLE REPLACE PARTITION",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=(
        Specification.Heading("Introduction", 2, "1"),
        Specification.Heading("Definitions", 2, "2"),
        Specification.Heading("Flowchart", 2, "3"),
        Specification.Heading("Statements", 2, "4"),
        Specification.Heading("Tables of the Examples", 2, "5"),
        Specification.Heading("Replace Partition", 2, "6"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition", 3, "6.1"),
        Specification.Heading("Changes in System Tables", 3, "6.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.System.Parts", 4, "6.2.1"),
        Specification.Heading("The Source Keeps Its Data", 2, "7"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KeepData", 3, "7.1"),
        Specification.Heading("Partition Missing in the Source", 2, "8"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.NonExistentPartition", 3, "8.1"),
        Specification.Heading("Temporary Tables", 2, "9"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.FromTemporaryTable", 3, "9.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.TemporaryTables", 3, "9.2"),
        Specification.Heading("Clauses After the Statement", 2, "10"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.IntoOutfile", 3, "10.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Format", 3, "10.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Settings", 3, "10.3"),
        Specification.Heading("Where the Tables Are Stored", 2, "11"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Disks", 3, "11.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.S3", 3, "11.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Replicas", 3, "11.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Shards", 3, "11.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions", 3, "11.5"),
        Specification.Heading("How the Data Is Stored", 2, "12"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encodings", 3, "12.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encryption", 3, "12.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication", 3, "12.3"),
        Specification.Heading("Part Types", 2, "13"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PartitionTypes", 3, "13.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Corrupted", 3, "13.2"),
        Specification.Heading("Conditions", 2, "14"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions", 3, "14.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Structure", 3, "14.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Key", 3, "14.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.StoragePolicy", 3, "14.4"),
        Specification.Heading("What May Not Follow FROM", 2, "15"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited", 3, "15.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.OrderAndPartition", 3, "15.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.TableFunctions", 3, "15.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Subquery", 3, "15.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Join", 3, "15.5"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.IncorrectTableEngines", 3, "15.6"),
        Specification.Heading("Concurrent Operations", 2, "16"),
        Specification.Heading("Merges and Mutations in Progress", 3, "16.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent", 4, "16.1.1"),
        Specification.Heading("Merges and Mutations Started Meanwhile", 3, "16.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Merges", 4, "16.2.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Mutations", 4, "16.2.2"),
        Specification.Heading("Work Left by Table Statements", 3, "16.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Insert", 4, "16.3.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Delete", 4, "16.3.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Attach", 4, "16.3.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Detach", 4, "16.3.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Optimize", 4, "16.3.5"),
        Specification.Heading("Work Left by ALTER of Columns", 3, "16.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Add", 4, "16.4.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Drop", 4, "16.4.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Clear", 4, "16.4.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Modify", 4, "16.4.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.ModifyRemove", 4, "16.4.5"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Materialize", 4, "16.4.6"),
        Specification.Heading("Other Statements on Partitions", 3, "16.5"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions", 4, "16.5.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Detach", 4, "16.5.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Drop", 4, "16.5.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Attach", 4, "16.5.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.AttachFrom", 4, "16.5.5"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Replace", 4, "16.5.6"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.MoveToTable", 4, "16.5.7"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearColumnInPartition", 4, "16.5.8"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Freeze", 4, "16.5.9"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Unfreeze", 4, "16.5.10"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearIndex", 4, "16.5.11"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Fetch", 4, "16.5.12"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Move", 4, "16.5.13"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.UpdateInPartition", 4, "16.5.14"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.DeleteInPartition", 4, "16.5.15"),
        Specification.Heading("Role Based Access Control", 2, "17"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RBAC", 3, "17.1"),
        Specification.Heading("Beyond the Source", 2, "18"),
        Specification.Heading("Crash and Restart", 3, "18.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Clone", 4, "18.1.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Commit", 4, "18.1.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.AttachFrom", 4, "18.1.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Restart", 4, "18.1.4"),
        Specification.Heading("Interruption", 3, "18.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery", 4, "18.2.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery.Answer", 4, "18.2.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery.OtherStatements", 4, "18.2.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.ClientDisconnect", 4, "18.2.4"),
        Specification.Heading("Readers and Writers at the Same Time", 3, "18.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Readers", 4, "18.3.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SameDestination", 4, "18.3.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Order", 4, "18.3.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SourceMutations", 4, "18.3.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.ColumnChanges", 4, "18.3.5"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.LightweightUpdates", 4, "18.3.6"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.AsyncInserts", 4, "18.3.7"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SourcePartition", 4, "18.3.8"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.DifferentPartitions", 4, "18.3.9"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.AddConstraint", 4, "18.3.10"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.CommentColumn", 4, "18.3.11"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.RenameColumn", 4, "18.3.12"),
        Specification.Heading("Tables Other Than the Two", 3, "18.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.MaterializedViews", 4, "18.4.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.FromRegularTable", 4, "18.4.2"),
        Specification.Heading("Parts and Commands", 3, "18.5"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PatchParts", 4, "18.5.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.ManyParts", 4, "18.5.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.SeveralCommands", 4, "18.5.3"),
        Specification.Heading("Inserts Afterwards", 3, "18.6"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication.Window", 4, "18.6.1"),
        Specification.Heading("What Goes With the Rows", 3, "18.7"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Secondary", 4, "18.7.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.DataTypes", 4, "18.7.2"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.BlockNumbers", 4, "18.7.3"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Granularity", 4, "18.7.4"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.TieredStorage", 4, "18.7.5"),
        Specification.Heading("Encrypted Destinations", 3, "18.8"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encryption.Cleartext", 4, "18.8.1"),
        Specification.Heading("The Partition That Is Meant", 3, "18.9"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PartitionExpression", 4, "18.9.1"),
        Specification.Heading("Changes of Columns That Are Still Pending", 3, "18.10"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PendingAlter", 4, "18.10.1"),
        Specification.Heading("The Same Conditions as ATTACH PARTITION FROM", 3, "18.11"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.AttachFromParity", 4, "18.11.1"),
        Specification.Heading("Restricted Readers", 3, "18.12"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RowPolicy", 4, "18.12.1"),
        Specification.Heading("Servers of Other Versions", 3, "18.13"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions.StepBack", 4, "18.13.1"),
        Specification.Heading("RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions.Crash", 4, "18.13.2"),
        Specification.Heading("Changes from the Source", 2, "19"),
    ),
    requirements=(
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_System_Parts,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromTemporaryTable,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TemporaryTables,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Insert,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Delete,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Add,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Drop,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Clear,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Modify,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_ModifyRemove,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Materialize,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearColumnInPartition,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearIndex,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_UpdateInPartition,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_DeleteInPartition,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_AttachFrom,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_OtherStatements,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Order,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourceMutations,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_ColumnChanges,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_LightweightUpdates,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AsyncInserts,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourcePartition,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_DifferentPartitions,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AddConstraint,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_CommentColumn,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_RenameColumn,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_MaterializedViews,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromRegularTable,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PatchParts,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ManyParts,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_SeveralCommands,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Secondary,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_DataTypes,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_BlockNumbers,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Granularity,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TieredStorage,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption_Cleartext,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionExpression,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PendingAlter,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_AttachFromParity,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash,
    ),
)
