"""SRS-032 ClickHouse ALTER TABLE REPLACE PARTITION: generated from srs032_replace_partition.md, do not edit."""

# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

from requirements.compiler import model

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL exchange the named partition of the destination for a copy of the source's partition of the same name when `REPLACE PARTITION` is executed. Afterwards the rows of the replaced partition equal the rows of the source's partition, none of the earlier rows is left in it, and all other partitions of the destination hold what they held before.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source;
```\
""",
    level=3,
    num="6.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_System_Parts = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.System.Parts",
    version="1.0",
    description="""\
[ClickHouse] SHALL show the effect of `REPLACE PARTITION` in `system.parts`: as soon as the statement has returned, the active parts of the replaced partition are new ones, whose rows add up to those of the source's partition, and none of the parts that were active before is active still.

```sql
SELECT partition, name, part_type, rows
FROM system.parts
WHERE database = currentDatabase() AND table = 'destination' AND active;
```\
""",
    level=4,
    num="6.2.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KeepData",
    version="1.0",
    description="""\
[ClickHouse] SHALL leave the source untouched by `REPLACE PARTITION`: every row that could be read from it before can be read from it afterwards, in the replaced partition and in all others.\
""",
    level=3,
    num="7.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.NonExistentPartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION` with an exception, and keep all data of the destination, when the source has no such partition. This is the behaviour under default settings; `allow_replace_partition_from_empty_source = 1`, where a server has it, asks for something else and is outside this requirement.

```sql
ALTER TABLE destination REPLACE PARTITION 21 FROM source; -- refused
```\
""",
    level=3,
    num="8.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromTemporaryTable = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.FromTemporaryTable",
    version="1.0",
    description="""\
[ClickHouse] SHALL accept a temporary table as the source of `REPLACE PARTITION` for a destination that is not temporary.

```sql
CREATE TEMPORARY TABLE draft (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO draft SELECT number % 4, 2000 + number FROM numbers(8);
ALTER TABLE destination REPLACE PARTITION 1 FROM draft;
```\
""",
    level=3,
    num="9.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TemporaryTables = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.TemporaryTables",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace a partition also where source and destination are both temporary tables of the same session.

```sql
CREATE TEMPORARY TABLE final_draft (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO final_draft SELECT 1, 3000;
ALTER TABLE final_draft REPLACE PARTITION 1 FROM draft;
```\
""",
    level=3,
    num="9.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.IntoOutfile",
    version="1.0",
    description="""\
[ClickHouse] SHALL execute without any error a `REPLACE PARTITION` that is followed by `INTO OUTFILE`.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source INTO OUTFILE 'replace_partition.txt';
```\
""",
    level=3,
    num="10.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Format",
    version="1.0",
    description="""\
[ClickHouse] SHALL execute without any error a `REPLACE PARTITION` that carries a `FORMAT` clause.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source FORMAT JSON;
```\
""",
    level=3,
    num="10.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Settings",
    version="1.0",
    description="""\
[ClickHouse] SHALL execute without any error a `REPLACE PARTITION` that sets query settings by a `SETTINGS` clause.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source SETTINGS max_threads = 1;
```\
""",
    level=3,
    num="10.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Disks",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace a partition when the source's parts lie on one disk and the destination's on another. Both tables use one storage policy that names the two disks, since [different policies are refused](#conditions).\
""",
    level=3,
    num="11.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3 = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.S3",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace partitions of tables whose parts are stored on an S3 disk.\
""",
    level=3,
    num="11.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Replicas",
    version="1.0",
    description="""\
[ClickHouse] SHALL make a `REPLACE PARTITION` reach a destination on another replica than the one that holds the source: executed where the source is, it leaves the rows of the source's partition in the replaced partition on every replica of the destination, also on replicas without the source.\
""",
    level=3,
    num="11.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Shards",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace partitions of tables that are spread over several shards: executed on each shard that holds a source and a destination, it makes a `Distributed` table over the destinations return for that partition what one over the sources returns.\
""",
    level=3,
    num="11.4",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace partitions between tables that were written by servers of different versions, so that data kept by an older server can be taken over by a newer one. It is decided by bringing the parts written by one version to a server of the other and using them once as the source and once as the replaced partition.\
""",
    level=3,
    num="11.5",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encodings",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace partitions between tables whose data is encoded differently, be it by the codecs of their columns or by the character encoding of the strings in them; every value arrives byte for byte.

```sql
CREATE TABLE packed (p UInt8, i UInt64 CODEC(Delta, ZSTD(3))) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO packed SELECT 1, 4000 + number FROM numbers(5);
ALTER TABLE destination REPLACE PARTITION 1 FROM packed;
```\
""",
    level=3,
    num="12.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encryption",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace partitions between encrypted and unencrypted tables in every pairing: encrypted to encrypted, encrypted to unencrypted, unencrypted to encrypted, unencrypted to unencrypted. An encrypted table keeps its parts on a disk of type `encrypted`.\
""",
    level=3,
    num="12.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace a partition of a destination whose engine removes duplicates, such as `ReplacingMergeTree`, and leave its deduplication working: read with `FINAL`, the replaced partition has one row for each sorting key that occurs in the source's partition.

```sql
CREATE TABLE latest (p UInt8, i UInt64) ENGINE = ReplacingMergeTree PARTITION BY p ORDER BY i;
ALTER TABLE latest REPLACE PARTITION 1 FROM packed;
SELECT p, i FROM latest FINAL WHERE p = 1;
```\
""",
    level=3,
    num="12.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PartitionTypes",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL give the result of the table below for every combination of a kind of partition in the source with a kind of partition in the destination.

| source \\ destination | compact parts only | wide parts only | compact and wide parts | no parts | empty parts |
|---|---|---|---|---|---|
| compact parts only | replaced | replaced | replaced | replaced | replaced |
| wide parts only | replaced | replaced | replaced | replaced | replaced |
| compact and wide parts | replaced | replaced | replaced | replaced | replaced |
| no parts | refused | refused | refused | refused | refused |
| empty parts | replaced | replaced | replaced | replaced | replaced |

*Replaced* means that the rows of the replaced partition equal those of the source's partition; with empty parts in the source there are none. *Refused* means an exception and a destination that keeps its data, as a source without the partition demands.\
""",
    level=3,
    num="13.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Corrupted",
    version="1.0",
    description="""\
[ClickHouse] SHALL end `REPLACE PARTITION` with an error when parts of the partition are corrupted, no matter whether they belong to the source or to the destination. It holds for partitions with compact parts, with wide parts and with both, and is violated when the statement returns without an error.\
""",
    level=3,
    num="13.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions",
    version="1.0",
    description="""\
[ClickHouse] SHALL replace a partition only if all of the following hold for source and destination, and refuse the statement otherwise:

* their structure is the same: the names and the types of the columns;
* their partition keys, their sorting keys (`ORDER BY`) and their primary keys are the same;
* their storage policy is the same.\
""",
    level=3,
    num="14.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Structure",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION` between tables of different structure and keep the destination.

```sql
CREATE TABLE other_structure (p UInt8, i UInt64, extra String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO other_structure SELECT 1, 1, 'a';
ALTER TABLE destination REPLACE PARTITION 1 FROM other_structure; -- refused
```\
""",
    level=3,
    num="14.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Key",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION`, keeping the destination, between tables that differ in any of these three: the partition key, the sorting key, the primary key.

```sql
CREATE TABLE other_key (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY (i, p);
INSERT INTO other_key SELECT 1, 1;
ALTER TABLE destination REPLACE PARTITION 1 FROM other_key; -- refused
```\
""",
    level=3,
    num="14.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.StoragePolicy",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse `REPLACE PARTITION`, and keep the destination, where the two tables have different storage policies, also where the policies have a disk in common.\
""",
    level=3,
    num="14.4",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited",
    version="1.0",
    description="""\
[ClickHouse] SHALL take a partition only from a table that has partitions and answer everything else after `FROM` with an exception.\
""",
    level=3,
    num="15.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.OrderAndPartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL answer a `REPLACE PARTITION` that has an `ORDER BY` or a `PARTITION BY` clause with an error.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source ORDER BY i; -- refused
ALTER TABLE destination REPLACE PARTITION 1 FROM source PARTITION BY p; -- refused
```\
""",
    level=3,
    num="15.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.TableFunctions",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="15.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Subquery",
    version="1.0",
    description="""\
[ClickHouse] SHALL answer a `REPLACE PARTITION` that has a subquery in the place of the source with an error.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM (SELECT * FROM source); -- refused
```\
""",
    level=3,
    num="15.4",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Join",
    version="1.0",
    description="""\
[ClickHouse] SHALL answer a `REPLACE PARTITION` that joins the source with another table with an error.

```sql
ALTER TABLE destination REPLACE PARTITION 1 FROM source INNER JOIN packed ON source.i = packed.i; -- refused
```\
""",
    level=3,
    num="15.5",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.IncorrectTableEngines",
    version="1.0",
    description="""\
[ClickHouse] SHALL end `REPLACE PARTITION` with an error if the engine of the source has no partitions, as is the case with `Memory`, `Log`, `TinyLog`, `StripeLog`, `Null`, `Set`, `Buffer`, `File`, `Merge` and `View`.

| engines | partitions |
|---|---|
| `MergeTree`, `ReplacingMergeTree`, `AggregatingMergeTree`, `CollapsingMergeTree`, `VersionedCollapsingMergeTree`, `GraphiteMergeTree`, the other engines of the family, and the `Replicated` form of each | their own |
| `Distributed`, `MaterializedView` | those of the tables behind them; this requirement demands no error for them |

```sql
CREATE TABLE no_partitions (p UInt8, i UInt64) ENGINE = Memory;
INSERT INTO no_partitions SELECT 1, 1;
ALTER TABLE destination REPLACE PARTITION 1 FROM no_partitions; -- refused
```\
""",
    level=3,
    num="15.6",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent",
    version="1.0",
    description="""\
[ClickHouse] SHALL let `REPLACE PARTITION` wait for the merges and the mutations that are in progress in the partition it replaces, and only for those. It is violated when the statement returns while `system.merges` still lists such an operation for the replaced partition, and also when it is held up by a merge or a mutation of another partition.

In the example partition 1 has a mutation to do that takes about two seconds, while partition 2 has none: the statement on partition 2 returns at once.

```sql
CREATE TABLE busy (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO busy SELECT 1, number FROM numbers(100);
INSERT INTO busy SELECT 2, number FROM numbers(100);
ALTER TABLE busy DELETE IN PARTITION 1 WHERE sleepEachRow(0.02) > i SETTINGS mutations_sync = 0;
ALTER TABLE busy REPLACE PARTITION 2 FROM source;
```\
""",
    level=4,
    num="16.1.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Merges",
    version="1.0",
    description="""\
[ClickHouse] SHALL answer with an error any attempt to start a merge in the destination while a `REPLACE PARTITION` on it is running.\
""",
    level=4,
    num="16.2.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Mutations",
    version="1.0",
    description="""\
[ClickHouse] SHALL answer with an error any attempt to start a mutation of the destination while a `REPLACE PARTITION` on it is running.\
""",
    level=4,
    num="16.2.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Insert = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Insert",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background merge of the replaced partition that was set off by an `INSERT INTO` there and has not ended yet.\
""",
    level=4,
    num="16.3.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Delete = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Delete",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `DELETE FROM` is still removing rows from the replaced partition.\
""",
    level=4,
    num="16.3.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Attach",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background merge that has begun in the replaced partition since `ATTACH TABLE` brought the table back, and has not ended yet.\
""",
    level=4,
    num="16.3.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Detach",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background merge not yet ended in the replaced partition of a table to which `DETACH TABLE` is applied at that time. If the table is gone before the statement starts, the statement is refused; the table, attached again, then has its old rows.\
""",
    level=4,
    num="16.3.4",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Optimize",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every merge of the replaced partition that an `OPTIMIZE TABLE` has begun and not ended yet.\
""",
    level=4,
    num="16.3.5",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Add = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Add",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background mutation not yet ended in the replaced partition of a table that has been given a column by `ADD COLUMN`.\
""",
    level=4,
    num="16.4.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Drop = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Drop",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `DROP COLUMN` is still taking a column out of the replaced partition.\
""",
    level=4,
    num="16.4.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Clear = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Clear",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `CLEAR COLUMN` is still resetting a column of the replaced partition.\
""",
    level=4,
    num="16.4.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Modify = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Modify",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `MODIFY COLUMN` is still converting the replaced partition.\
""",
    level=4,
    num="16.4.4",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_ModifyRemove = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.ModifyRemove",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background mutation not yet ended in the replaced partition of a table that has lost a property of a column by `MODIFY COLUMN REMOVE`.\
""",
    level=4,
    num="16.4.5",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Materialize = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Materialize",
    version="1.0",
    description="""\
`REPLACE PARTITION` SHALL stop every background mutation by which a `MATERIALIZE COLUMN` is still writing a column into the replaced partition.\
""",
    level=4,
    num="16.4.6",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions",
    version="1.0",
    description="""\
[ClickHouse] SHALL make every other statement that manipulates a partition wait for a running `REPLACE PARTITION` on that partition. The requirements that follow say it for each statement.\
""",
    level=4,
    num="16.5.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Detach",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `DETACH PARTITION` wait for a `REPLACE PARTITION` of the same partition: what is detached are the new rows, and the partition ends empty.\
""",
    level=4,
    num="16.5.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Drop",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `DROP PARTITION` wait for a `REPLACE PARTITION` of the same partition: the partition ends empty, with neither old nor new rows in it.\
""",
    level=4,
    num="16.5.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Attach",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `ATTACH PARTITION` wait for a `REPLACE PARTITION` of the same partition: it ends with the new rows and the attached ones.\
""",
    level=4,
    num="16.5.4",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.AttachFrom",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `ATTACH PARTITION FROM` wait for a `REPLACE PARTITION` of the same partition: it ends with the new rows and those of the table attached from.\
""",
    level=4,
    num="16.5.5",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Replace",
    version="1.0",
    description="""\
[ClickHouse] SHALL make a second `REPLACE PARTITION` wait for one that is running on the same partition. This holds where both have one destination, and also where the destination of the first is the source of the second: the third table then receives the rows that the first statement has put in place.\
""",
    level=4,
    num="16.5.6",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.MoveToTable",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `MOVE PARTITION TO TABLE` wait for a `REPLACE PARTITION` of the same partition: moved out of the destination are the new rows, all of them and nothing else.\
""",
    level=4,
    num="16.5.7",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearColumnInPartition = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearColumnInPartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `CLEAR COLUMN IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: the column has its default in every new row.\
""",
    level=4,
    num="16.5.8",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Freeze",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `FREEZE PARTITION` wait for a `REPLACE PARTITION` of the same partition: the backup holds the new rows, all of them and nothing else.\
""",
    level=4,
    num="16.5.9",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Unfreeze",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `UNFREEZE PARTITION` wait for a `REPLACE PARTITION` of the same partition: the backup made earlier is there until `REPLACE PARTITION` has finished and gone afterwards.\
""",
    level=4,
    num="16.5.10",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearIndex = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearIndex",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `CLEAR INDEX IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: none of the new parts keeps files of the index.\
""",
    level=4,
    num="16.5.11",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Fetch",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `FETCH PARTITION` wait for a `REPLACE PARTITION` of the same partition: the detached parts that it brings hold the new rows.\
""",
    level=4,
    num="16.5.12",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Move",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `MOVE PARTITION` to a disk or a volume wait for a `REPLACE PARTITION` of the same partition: every new part ends on the disk or the volume that was asked for.\
""",
    level=4,
    num="16.5.13",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_UpdateInPartition = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.UpdateInPartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `UPDATE IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: the update is applied to every new row that meets its condition.\
""",
    level=4,
    num="16.5.14",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_DeleteInPartition = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.DeleteInPartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL make `DELETE IN PARTITION` wait for a `REPLACE PARTITION` of the same partition: every new row that meets its condition is gone and every other new row is there.\
""",
    level=4,
    num="16.5.15",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RBAC",
    version="1.0",
    description="""\
[ClickHouse] SHALL execute `REPLACE PARTITION` only for a user who has both `SELECT` on the source and, on the destination, `INSERT` together with `ALTER DELETE`, and refuse it for any other user with the destination kept.

A privilege counts however the user came by it: `ALTER DELETE` is part of `ALTER TABLE`, which is part of `ALTER`.

| on the source | on the destination | result |
|---|---|---|
| `SELECT` | `ALTER DELETE`, `INSERT` | replaced |
| `SELECT` | `ALTER TABLE`, `INSERT` | replaced |
| `SELECT` | `ALTER`, `INSERT` | replaced |
| `SELECT` | none, or any one of `SELECT`, `INSERT`, `ALTER DELETE`, `ALTER TABLE`, `ALTER` | refused |
| none, or any without `SELECT` | whatever | refused |\
""",
    level=3,
    num="17.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Clone",
    version="1.0",
    description="""\
[ClickHouse] SHALL come back with exactly the old rows in the replaced partition when the server dies in the clone phase, that is, before the first temporary directory has been renamed, and is started again.\
""",
    level=4,
    num="18.1.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Commit",
    version="1.0",
    description="""\
[ClickHouse] SHALL come back with either exactly the old rows or exactly the new rows in the replaced partition when the server dies in the commit phase, that is, between the first rename and the answer to the client, and is started again. It is violated by a mixture of the two, by rows that occur more often than in either, and by rows that are in neither.\
""",
    level=4,
    num="18.1.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Restart",
    version="1.0",
    description="""\
[ClickHouse] SHALL have exactly the new rows in the replaced partition after a restart if the client had been told before it that `REPLACE PARTITION` succeeded, no matter whether the server was shut down or killed and how soon after the answer.\
""",
    level=4,
    num="18.1.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery",
    version="1.0",
    description="""\
[ClickHouse] SHALL leave either exactly the old rows or exactly the new rows in the replaced partition when a running `REPLACE PARTITION` is killed by `KILL QUERY`. It is observed once the statement is no longer running.\
""",
    level=4,
    num="18.2.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery.Answer",
    version="1.0",
    description="""\
[ClickHouse] SHALL report a `REPLACE PARTITION` as cancelled by `KILL QUERY` only if the replaced partition still has exactly the old rows. It is violated when the client receives `QUERY_WAS_CANCELLED` (394) and the new rows are in place.\
""",
    level=4,
    num="18.2.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.ClientDisconnect",
    version="1.0",
    description="""\
[ClickHouse] SHALL bring a `REPLACE PARTITION` whose client has disconnected to an end by itself, with either exactly the old rows or exactly the new rows in the replaced partition. It is observed once the statement is no longer running.\
""",
    level=4,
    num="18.2.3",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Readers",
    version="1.0",
    description="""\
[ClickHouse] SHALL give every single `SELECT` that runs beside `REPLACE PARTITION` either exactly the old rows or exactly the new rows of the replaced partition, and never a mixture, a part or none of them.\
""",
    level=4,
    num="18.3.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SameDestination",
    version="1.0",
    description="""\
[ClickHouse] SHALL leave exactly the rows of one of the sources in the replaced partition when several clients replace that partition at the same time, each from a source of its own or several of them from the same one, and at least one of them is told that it succeeded. It is violated by rows of two sources, by rows that occur more often than in their source, and by an empty partition.\
""",
    level=4,
    num="18.3.2",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication.Window",
    version="1.0",
    description="""\
[ClickHouse] SHALL store a block that is inserted into the replaced partition after `REPLACE PARTITION`, even if an equal block had been inserted before it and the destination remembers its inserted blocks (`non_replicated_deduplication_window`): the rows of that block went with the old parts, and after `DROP PARTITION`, `DETACH PARTITION` and `TRUNCATE TABLE`, which remove them as well, it is stored again. Blocks of other partitions are still recognised. It is violated when the `INSERT` succeeds and its rows are not there.\
""",
    level=4,
    num="18.4.1",
)

RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy = Requirement(
    name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RowPolicy",
    version="1.0",
    description="""\
[ClickHouse] SHALL copy all rows of the source's partition, those included that a row policy hides from the user who executes `REPLACE PARTITION`. A row policy filters what a user reads, whereas this statement takes over whole parts; were it to leave the hidden rows out, an exchange of partitions would lose them without a word. It is observed by a user without a row policy. The policy stays with the source: it protects the copied rows only if the destination has one as well.\
""",
    level=4,
    num="18.5.1",
)

TABLE = model.Specification(
    id="SRS-032",
    title="ClickHouse ALTER TABLE REPLACE PARTITION",
    file="requirements/srs032_replace_partition.md",
    line=1,
    state="active",
    reason="",
    sections=(
        model.Section(
            title="Introduction",
            level=2,
            number="1",
            line=105,
            anchor="introduction",
        ),
        model.Section(
            title="Definitions",
            level=2,
            number="2",
            line=109,
            anchor="definitions",
        ),
        model.Section(
            title="Flowchart",
            level=2,
            number="3",
            line=123,
            anchor="flowchart",
        ),
        model.Section(
            title="Statements",
            level=2,
            number="4",
            line=140,
            anchor="statements",
        ),
        model.Section(
            title="Tables of the Examples",
            level=2,
            number="5",
            line=174,
            anchor="tables-of-the-examples",
        ),
        model.Section(
            title="Replace Partition",
            level=2,
            number="6",
            line=185,
            anchor="replace-partition",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition",
            level=3,
            number="6.1",
            line=187,
            anchor="rqsrs-032clickhousealtertablereplacepartition",
        ),
        model.Section(
            title="Changes in System Tables",
            level=3,
            number="6.2",
            line=196,
            anchor="changes-in-system-tables",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.System.Parts",
            level=4,
            number="6.2.1",
            line=198,
            anchor="rqsrs-032clickhousealtertablereplacepartitionsystemparts",
        ),
        model.Section(
            title="The Source Keeps Its Data",
            level=2,
            number="7",
            line=209,
            anchor="the-source-keeps-its-data",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KeepData",
            level=3,
            number="7.1",
            line=211,
            anchor="rqsrs-032clickhousealtertablereplacepartitionkeepdata",
        ),
        model.Section(
            title="Partition Missing in the Source",
            level=2,
            number="8",
            line=216,
            anchor="partition-missing-in-the-source",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.NonExistentPartition",
            level=3,
            number="8.1",
            line=218,
            anchor="rqsrs-032clickhousealtertablereplacepartitionnonexistentpartition",
        ),
        model.Section(
            title="Temporary Tables",
            level=2,
            number="9",
            line=227,
            anchor="temporary-tables",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.FromTemporaryTable",
            level=3,
            number="9.1",
            line=231,
            anchor="rqsrs-032clickhousealtertablereplacepartitionfromtemporarytable",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.TemporaryTables",
            level=3,
            number="9.2",
            line=242,
            anchor="rqsrs-032clickhousealtertablereplacepartitiontemporarytables",
        ),
        model.Section(
            title="Clauses After the Statement",
            level=2,
            number="10",
            line=253,
            anchor="clauses-after-the-statement",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.IntoOutfile",
            level=3,
            number="10.1",
            line=257,
            anchor="rqsrs-032clickhousealtertablereplacepartitionintooutfile",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Format",
            level=3,
            number="10.2",
            line=266,
            anchor="rqsrs-032clickhousealtertablereplacepartitionformat",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Settings",
            level=3,
            number="10.3",
            line=275,
            anchor="rqsrs-032clickhousealtertablereplacepartitionsettings",
        ),
        model.Section(
            title="Where the Tables Are Stored",
            level=2,
            number="11",
            line=284,
            anchor="where-the-tables-are-stored",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Disks",
            level=3,
            number="11.1",
            line=286,
            anchor="rqsrs-032clickhousealtertablereplacepartitiondisks",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.S3",
            level=3,
            number="11.2",
            line=291,
            anchor="rqsrs-032clickhousealtertablereplacepartitions3",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Replicas",
            level=3,
            number="11.3",
            line=296,
            anchor="rqsrs-032clickhousealtertablereplacepartitionreplicas",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Shards",
            level=3,
            number="11.4",
            line=301,
            anchor="rqsrs-032clickhousealtertablereplacepartitionshards",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions",
            level=3,
            number="11.5",
            line=306,
            anchor="rqsrs-032clickhousealtertablereplacepartitionversions",
        ),
        model.Section(
            title="How the Data Is Stored",
            level=2,
            number="12",
            line=311,
            anchor="how-the-data-is-stored",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encodings",
            level=3,
            number="12.1",
            line=313,
            anchor="rqsrs-032clickhousealtertablereplacepartitionencodings",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encryption",
            level=3,
            number="12.2",
            line=324,
            anchor="rqsrs-032clickhousealtertablereplacepartitionencryption",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication",
            level=3,
            number="12.3",
            line=329,
            anchor="rqsrs-032clickhousealtertablereplacepartitiondeduplication",
        ),
        model.Section(
            title="Part Types",
            level=2,
            number="13",
            line=340,
            anchor="part-types",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PartitionTypes",
            level=3,
            number="13.1",
            line=344,
            anchor="rqsrs-032clickhousealtertablereplacepartitionpartitiontypes",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Corrupted",
            level=3,
            number="13.2",
            line=359,
            anchor="rqsrs-032clickhousealtertablereplacepartitioncorrupted",
        ),
        model.Section(
            title="Conditions",
            level=2,
            number="14",
            line=364,
            anchor="conditions",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions",
            level=3,
            number="14.1",
            line=366,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconditions",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Structure",
            level=3,
            number="14.2",
            line=375,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconditionsdifferentstructure",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Key",
            level=3,
            number="14.3",
            line=386,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconditionsdifferentkey",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.StoragePolicy",
            level=3,
            number="14.4",
            line=397,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconditionsdifferentstoragepolicy",
        ),
        model.Section(
            title="What May Not Follow FROM",
            level=2,
            number="15",
            line=402,
            anchor="what-may-not-follow-from",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited",
            level=3,
            number="15.1",
            line=404,
            anchor="rqsrs-032clickhousealtertablereplacepartitionprohibited",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.OrderAndPartition",
            level=3,
            number="15.2",
            line=409,
            anchor="rqsrs-032clickhousealtertablereplacepartitionprohibitedorderandpartition",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.TableFunctions",
            level=3,
            number="15.3",
            line=419,
            anchor="rqsrs-032clickhousealtertablereplacepartitionprohibitedtablefunctions",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Subquery",
            level=3,
            number="15.4",
            line=437,
            anchor="rqsrs-032clickhousealtertablereplacepartitionprohibitedsubquery",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Join",
            level=3,
            number="15.5",
            line=446,
            anchor="rqsrs-032clickhousealtertablereplacepartitionprohibitedjoin",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.IncorrectTableEngines",
            level=3,
            number="15.6",
            line=455,
            anchor="rqsrs-032clickhousealtertablereplacepartitionprohibitedincorrecttableengines",
        ),
        model.Section(
            title="Concurrent Operations",
            level=2,
            number="16",
            line=471,
            anchor="concurrent-operations",
        ),
        model.Section(
            title="Merges and Mutations in Progress",
            level=3,
            number="16.1",
            line=473,
            anchor="merges-and-mutations-in-progress",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent",
            level=4,
            number="16.1.1",
            line=475,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrent",
        ),
        model.Section(
            title="Merges and Mutations Started Meanwhile",
            level=3,
            number="16.2",
            line=490,
            anchor="merges-and-mutations-started-meanwhile",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Merges",
            level=4,
            number="16.2.1",
            line=492,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmerges",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Mutations",
            level=4,
            number="16.2.2",
            line=497,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmutations",
        ),
        model.Section(
            title="Work Left by Table Statements",
            level=3,
            number="16.3",
            line=502,
            anchor="work-left-by-table-statements",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Insert",
            level=4,
            number="16.3.1",
            line=504,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentinsert",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Delete",
            level=4,
            number="16.3.2",
            line=509,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentdelete",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Attach",
            level=4,
            number="16.3.3",
            line=514,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentattach",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Detach",
            level=4,
            number="16.3.4",
            line=519,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentdetach",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Optimize",
            level=4,
            number="16.3.5",
            line=524,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentoptimize",
        ),
        model.Section(
            title="Work Left by ALTER of Columns",
            level=3,
            number="16.4",
            line=529,
            anchor="work-left-by-alter-of-columns",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Add",
            level=4,
            number="16.4.1",
            line=533,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentalteradd",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Drop",
            level=4,
            number="16.4.2",
            line=538,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentalterdrop",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Clear",
            level=4,
            number="16.4.3",
            line=543,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentalterclear",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Modify",
            level=4,
            number="16.4.4",
            line=548,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentaltermodify",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.ModifyRemove",
            level=4,
            number="16.4.5",
            line=553,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentaltermodifyremove",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Materialize",
            level=4,
            number="16.4.6",
            line=558,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentaltermaterialize",
        ),
        model.Section(
            title="Other Statements on Partitions",
            level=3,
            number="16.5",
            line=563,
            anchor="other-statements-on-partitions",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions",
            level=4,
            number="16.5.1",
            line=565,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitions",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Detach",
            level=4,
            number="16.5.2",
            line=570,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsdetach",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Drop",
            level=4,
            number="16.5.3",
            line=575,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsdrop",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Attach",
            level=4,
            number="16.5.4",
            line=580,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsattach",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.AttachFrom",
            level=4,
            number="16.5.5",
            line=585,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsattachfrom",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Replace",
            level=4,
            number="16.5.6",
            line=590,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsreplace",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.MoveToTable",
            level=4,
            number="16.5.7",
            line=595,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsmovetotable",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearColumnInPartition",
            level=4,
            number="16.5.8",
            line=600,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsclearcolumninpartition",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Freeze",
            level=4,
            number="16.5.9",
            line=605,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsfreeze",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Unfreeze",
            level=4,
            number="16.5.10",
            line=610,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsunfreeze",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearIndex",
            level=4,
            number="16.5.11",
            line=615,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsclearindex",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Fetch",
            level=4,
            number="16.5.12",
            line=620,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsfetch",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Move",
            level=4,
            number="16.5.13",
            line=625,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsmove",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.UpdateInPartition",
            level=4,
            number="16.5.14",
            line=630,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsupdateinpartition",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.DeleteInPartition",
            level=4,
            number="16.5.15",
            line=635,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentmanipulatingpartitionsdeleteinpartition",
        ),
        model.Section(
            title="Role Based Access Control",
            level=2,
            number="17",
            line=640,
            anchor="role-based-access-control",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RBAC",
            level=3,
            number="17.1",
            line=642,
            anchor="rqsrs-032clickhousealtertablereplacepartitionrbac",
        ),
        model.Section(
            title="Beyond the Source",
            level=2,
            number="18",
            line=657,
            anchor="beyond-the-source",
        ),
        model.Section(
            title="Crash and Restart",
            level=3,
            number="18.1",
            line=661,
            anchor="crash-and-restart",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Clone",
            level=4,
            number="18.1.1",
            line=663,
            anchor="rqsrs-032clickhousealtertablereplacepartitioncrashclone",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Commit",
            level=4,
            number="18.1.2",
            line=669,
            anchor="rqsrs-032clickhousealtertablereplacepartitioncrashcommit",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Restart",
            level=4,
            number="18.1.3",
            line=675,
            anchor="rqsrs-032clickhousealtertablereplacepartitionrestart",
        ),
        model.Section(
            title="Interruption",
            level=3,
            number="18.2",
            line=681,
            anchor="interruption",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery",
            level=4,
            number="18.2.1",
            line=683,
            anchor="rqsrs-032clickhousealtertablereplacepartitionkillquery",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery.Answer",
            level=4,
            number="18.2.2",
            line=689,
            anchor="rqsrs-032clickhousealtertablereplacepartitionkillqueryanswer",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.ClientDisconnect",
            level=4,
            number="18.2.3",
            line=695,
            anchor="rqsrs-032clickhousealtertablereplacepartitionclientdisconnect",
        ),
        model.Section(
            title="Readers and Writers at the Same Time",
            level=3,
            number="18.3",
            line=701,
            anchor="readers-and-writers-at-the-same-time",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Readers",
            level=4,
            number="18.3.1",
            line=703,
            anchor="rqsrs-032clickhousealtertablereplacepartitionreaders",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SameDestination",
            level=4,
            number="18.3.2",
            line=709,
            anchor="rqsrs-032clickhousealtertablereplacepartitionconcurrentsamedestination",
        ),
        model.Section(
            title="Inserts Afterwards",
            level=3,
            number="18.4",
            line=715,
            anchor="inserts-afterwards",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication.Window",
            level=4,
            number="18.4.1",
            line=717,
            anchor="rqsrs-032clickhousealtertablereplacepartitiondeduplicationwindow",
        ),
        model.Section(
            title="Restricted Readers",
            level=3,
            number="18.5",
            line=723,
            anchor="restricted-readers",
        ),
        model.Section(
            title="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RowPolicy",
            level=4,
            number="18.5.1",
            line=725,
            anchor="rqsrs-032clickhousealtertablereplacepartitionrowpolicy",
        ),
        model.Section(
            title="Changes from the Source",
            level=2,
            number="19",
            line=731,
            anchor="changes-from-the-source",
        ),
    ),
    requirements=(
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition",
            version="1.0",
            specification="SRS-032",
            heading_path=("Replace Partition",),
            level=3,
            number="6.1",
            file="requirements/srs032_replace_partition.md",
            line=187,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition.description,
            content_hash="88e5e55cdeb6",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.System.Parts",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Replace Partition",
                "Changes in System Tables",
            ),
            level=4,
            number="6.2.1",
            file="requirements/srs032_replace_partition.md",
            line=198,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_System_Parts.description,
            content_hash="f3def839082b",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_System_Parts",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KeepData",
            version="1.0",
            specification="SRS-032",
            heading_path=("The Source Keeps Its Data",),
            level=3,
            number="7.1",
            file="requirements/srs032_replace_partition.md",
            line=211,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData.description,
            content_hash="6ad2df07513b",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KeepData",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.NonExistentPartition",
            version="1.0",
            specification="SRS-032",
            heading_path=("Partition Missing in the Source",),
            level=3,
            number="8.1",
            file="requirements/srs032_replace_partition.md",
            line=218,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition.description,
            content_hash="bfc99c77b9ca",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_NonExistentPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.FromTemporaryTable",
            version="1.0",
            specification="SRS-032",
            heading_path=("Temporary Tables",),
            level=3,
            number="9.1",
            file="requirements/srs032_replace_partition.md",
            line=231,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromTemporaryTable.description,
            content_hash="47b7679c4e27",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromTemporaryTable",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.TemporaryTables",
            version="1.0",
            specification="SRS-032",
            heading_path=("Temporary Tables",),
            level=3,
            number="9.2",
            file="requirements/srs032_replace_partition.md",
            line=242,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TemporaryTables.description,
            content_hash="7611a387204f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TemporaryTables",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.IntoOutfile",
            version="1.0",
            specification="SRS-032",
            heading_path=("Clauses After the Statement",),
            level=3,
            number="10.1",
            file="requirements/srs032_replace_partition.md",
            line=257,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile.description,
            content_hash="b5d7f87139fc",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Format",
            version="1.0",
            specification="SRS-032",
            heading_path=("Clauses After the Statement",),
            level=3,
            number="10.2",
            file="requirements/srs032_replace_partition.md",
            line=266,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format.description,
            content_hash="503e77a9621d",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Settings",
            version="1.0",
            specification="SRS-032",
            heading_path=("Clauses After the Statement",),
            level=3,
            number="10.3",
            file="requirements/srs032_replace_partition.md",
            line=275,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings.description,
            content_hash="76e7c844e8b1",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Disks",
            version="1.0",
            specification="SRS-032",
            heading_path=("Where the Tables Are Stored",),
            level=3,
            number="11.1",
            file="requirements/srs032_replace_partition.md",
            line=286,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks.description,
            content_hash="4c34947fbfa6",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Disks",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.S3",
            version="1.0",
            specification="SRS-032",
            heading_path=("Where the Tables Are Stored",),
            level=3,
            number="11.2",
            file="requirements/srs032_replace_partition.md",
            line=291,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3.description,
            content_hash="1f2ace2416ab",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_S3",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Replicas",
            version="1.0",
            specification="SRS-032",
            heading_path=("Where the Tables Are Stored",),
            level=3,
            number="11.3",
            file="requirements/srs032_replace_partition.md",
            line=296,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas.description,
            content_hash="621f960c2ba9",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Shards",
            version="1.0",
            specification="SRS-032",
            heading_path=("Where the Tables Are Stored",),
            level=3,
            number="11.4",
            file="requirements/srs032_replace_partition.md",
            line=301,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards.description,
            content_hash="f7488b595f33",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Versions",
            version="1.0",
            specification="SRS-032",
            heading_path=("Where the Tables Are Stored",),
            level=3,
            number="11.5",
            file="requirements/srs032_replace_partition.md",
            line=306,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions.description,
            content_hash="aff3425b7ea9",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encodings",
            version="1.0",
            specification="SRS-032",
            heading_path=("How the Data Is Stored",),
            level=3,
            number="12.1",
            file="requirements/srs032_replace_partition.md",
            line=313,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings.description,
            content_hash="c0df8d771fc2",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Encryption",
            version="1.0",
            specification="SRS-032",
            heading_path=("How the Data Is Stored",),
            level=3,
            number="12.2",
            file="requirements/srs032_replace_partition.md",
            line=324,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption.description,
            content_hash="ba835b14147a",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encryption",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication",
            version="1.0",
            specification="SRS-032",
            heading_path=("How the Data Is Stored",),
            level=3,
            number="12.3",
            file="requirements/srs032_replace_partition.md",
            line=329,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication.description,
            content_hash="ce0b262b48e3",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.PartitionTypes",
            version="1.0",
            specification="SRS-032",
            heading_path=("Part Types",),
            level=3,
            number="13.1",
            file="requirements/srs032_replace_partition.md",
            line=344,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes.description,
            content_hash="3e8f025bda12",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionTypes",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Corrupted",
            version="1.0",
            specification="SRS-032",
            heading_path=("Part Types",),
            level=3,
            number="13.2",
            file="requirements/srs032_replace_partition.md",
            line=359,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted.description,
            content_hash="dd205e1479b8",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Corrupted",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions",
            version="1.0",
            specification="SRS-032",
            heading_path=("Conditions",),
            level=3,
            number="14.1",
            file="requirements/srs032_replace_partition.md",
            line=366,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions.description,
            content_hash="d638a18f3815",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Structure",
            version="1.0",
            specification="SRS-032",
            heading_path=("Conditions",),
            level=3,
            number="14.2",
            file="requirements/srs032_replace_partition.md",
            line=375,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure.description,
            content_hash="507a177bd9cd",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.Key",
            version="1.0",
            specification="SRS-032",
            heading_path=("Conditions",),
            level=3,
            number="14.3",
            file="requirements/srs032_replace_partition.md",
            line=386,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key.description,
            content_hash="902a75702349",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Key",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Conditions.Different.StoragePolicy",
            version="1.0",
            specification="SRS-032",
            heading_path=("Conditions",),
            level=3,
            number="14.4",
            file="requirements/srs032_replace_partition.md",
            line=397,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy.description,
            content_hash="cb551c5a09fd",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_StoragePolicy",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited",
            version="1.0",
            specification="SRS-032",
            heading_path=("What May Not Follow FROM",),
            level=3,
            number="15.1",
            file="requirements/srs032_replace_partition.md",
            line=404,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited.description,
            content_hash="843662a144cc",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.OrderAndPartition",
            version="1.0",
            specification="SRS-032",
            heading_path=("What May Not Follow FROM",),
            level=3,
            number="15.2",
            file="requirements/srs032_replace_partition.md",
            line=409,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition.description,
            content_hash="cd1f006765c9",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.TableFunctions",
            version="1.0",
            specification="SRS-032",
            heading_path=("What May Not Follow FROM",),
            level=3,
            number="15.3",
            file="requirements/srs032_replace_partition.md",
            line=419,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions.description,
            content_hash="a8217480eac9",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Subquery",
            version="1.0",
            specification="SRS-032",
            heading_path=("What May Not Follow FROM",),
            level=3,
            number="15.4",
            file="requirements/srs032_replace_partition.md",
            line=437,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery.description,
            content_hash="00aaaf115d35",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.Join",
            version="1.0",
            specification="SRS-032",
            heading_path=("What May Not Follow FROM",),
            level=3,
            number="15.5",
            file="requirements/srs032_replace_partition.md",
            line=446,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join.description,
            content_hash="9816aa16f157",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Prohibited.IncorrectTableEngines",
            version="1.0",
            specification="SRS-032",
            heading_path=("What May Not Follow FROM",),
            level=3,
            number="15.6",
            file="requirements/srs032_replace_partition.md",
            line=455,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines.description,
            content_hash="fbe863ef159e",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_IncorrectTableEngines",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Merges and Mutations in Progress",
            ),
            level=4,
            number="16.1.1",
            file="requirements/srs032_replace_partition.md",
            line=475,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent.description,
            content_hash="5bceb8d448fc",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Merges",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Merges and Mutations Started Meanwhile",
            ),
            level=4,
            number="16.2.1",
            file="requirements/srs032_replace_partition.md",
            line=492,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges.description,
            content_hash="845d146afc5b",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Mutations",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Merges and Mutations Started Meanwhile",
            ),
            level=4,
            number="16.2.2",
            file="requirements/srs032_replace_partition.md",
            line=497,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations.description,
            content_hash="e7dfe020eca2",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Mutations",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Insert",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by Table Statements",
            ),
            level=4,
            number="16.3.1",
            file="requirements/srs032_replace_partition.md",
            line=504,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Insert.description,
            content_hash="79b4b82ead9f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Insert",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Delete",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by Table Statements",
            ),
            level=4,
            number="16.3.2",
            file="requirements/srs032_replace_partition.md",
            line=509,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Delete.description,
            content_hash="05703f28f1fc",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Delete",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Attach",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by Table Statements",
            ),
            level=4,
            number="16.3.3",
            file="requirements/srs032_replace_partition.md",
            line=514,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach.description,
            content_hash="abec0365d281",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Attach",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Detach",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by Table Statements",
            ),
            level=4,
            number="16.3.4",
            file="requirements/srs032_replace_partition.md",
            line=519,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach.description,
            content_hash="18ea08469977",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Detach",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Optimize",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by Table Statements",
            ),
            level=4,
            number="16.3.5",
            file="requirements/srs032_replace_partition.md",
            line=524,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize.description,
            content_hash="ae574a8444d1",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Optimize",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Add",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by ALTER of Columns",
            ),
            level=4,
            number="16.4.1",
            file="requirements/srs032_replace_partition.md",
            line=533,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Add.description,
            content_hash="09c3cad93a9e",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Add",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Drop",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by ALTER of Columns",
            ),
            level=4,
            number="16.4.2",
            file="requirements/srs032_replace_partition.md",
            line=538,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Drop.description,
            content_hash="0f00f8e73df2",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Drop",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Clear",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by ALTER of Columns",
            ),
            level=4,
            number="16.4.3",
            file="requirements/srs032_replace_partition.md",
            line=543,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Clear.description,
            content_hash="e293c0585027",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Clear",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Modify",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by ALTER of Columns",
            ),
            level=4,
            number="16.4.4",
            file="requirements/srs032_replace_partition.md",
            line=548,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Modify.description,
            content_hash="9984bdf58b90",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Modify",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.ModifyRemove",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by ALTER of Columns",
            ),
            level=4,
            number="16.4.5",
            file="requirements/srs032_replace_partition.md",
            line=553,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_ModifyRemove.description,
            content_hash="702bb5bafc3d",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_ModifyRemove",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Alter.Materialize",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Work Left by ALTER of Columns",
            ),
            level=4,
            number="16.4.6",
            file="requirements/srs032_replace_partition.md",
            line=558,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Materialize.description,
            content_hash="4b77d3e039e0",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Alter_Materialize",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.1",
            file="requirements/srs032_replace_partition.md",
            line=565,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions.description,
            content_hash="9632d15592d9",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Detach",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.2",
            file="requirements/srs032_replace_partition.md",
            line=570,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach.description,
            content_hash="e75c1f15a3d0",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Detach",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Drop",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.3",
            file="requirements/srs032_replace_partition.md",
            line=575,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop.description,
            content_hash="4f502550dd7d",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Drop",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Attach",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.4",
            file="requirements/srs032_replace_partition.md",
            line=580,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach.description,
            content_hash="e58132954a82",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Attach",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.AttachFrom",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.5",
            file="requirements/srs032_replace_partition.md",
            line=585,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom.description,
            content_hash="103e15d0035a",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_AttachFrom",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Replace",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.6",
            file="requirements/srs032_replace_partition.md",
            line=590,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace.description,
            content_hash="d2dd1a6da9e9",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Replace",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.MoveToTable",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.7",
            file="requirements/srs032_replace_partition.md",
            line=595,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable.description,
            content_hash="5f2a6f094de5",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_MoveToTable",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearColumnInPartition",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.8",
            file="requirements/srs032_replace_partition.md",
            line=600,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearColumnInPartition.description,
            content_hash="933c6cb36b09",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearColumnInPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Freeze",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.9",
            file="requirements/srs032_replace_partition.md",
            line=605,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze.description,
            content_hash="27f9fc76126a",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Freeze",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Unfreeze",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.10",
            file="requirements/srs032_replace_partition.md",
            line=610,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze.description,
            content_hash="be245bc630c1",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Unfreeze",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.ClearIndex",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.11",
            file="requirements/srs032_replace_partition.md",
            line=615,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearIndex.description,
            content_hash="b169a3b76d28",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_ClearIndex",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Fetch",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.12",
            file="requirements/srs032_replace_partition.md",
            line=620,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch.description,
            content_hash="a8e00c8769fb",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.Move",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.13",
            file="requirements/srs032_replace_partition.md",
            line=625,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move.description,
            content_hash="84d5a3400b41",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Move",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.UpdateInPartition",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.14",
            file="requirements/srs032_replace_partition.md",
            line=630,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_UpdateInPartition.description,
            content_hash="6d0814bf6acc",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_UpdateInPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.Manipulating.Partitions.DeleteInPartition",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Concurrent Operations",
                "Other Statements on Partitions",
            ),
            level=4,
            number="16.5.15",
            file="requirements/srs032_replace_partition.md",
            line=635,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_DeleteInPartition.description,
            content_hash="e0d21b1b9781",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_DeleteInPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RBAC",
            version="1.0",
            specification="SRS-032",
            heading_path=("Role Based Access Control",),
            level=3,
            number="17.1",
            file="requirements/srs032_replace_partition.md",
            line=642,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC.description,
            content_hash="6515359649fa",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RBAC",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Clone",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Crash and Restart",
            ),
            level=4,
            number="18.1.1",
            file="requirements/srs032_replace_partition.md",
            line=663,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone.description,
            content_hash="c10603d1c29d",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Crash.Commit",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Crash and Restart",
            ),
            level=4,
            number="18.1.2",
            file="requirements/srs032_replace_partition.md",
            line=669,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit.description,
            content_hash="2812c177f445",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Restart",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Crash and Restart",
            ),
            level=4,
            number="18.1.3",
            file="requirements/srs032_replace_partition.md",
            line=675,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart.description,
            content_hash="21511e15e783",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Interruption",
            ),
            level=4,
            number="18.2.1",
            file="requirements/srs032_replace_partition.md",
            line=683,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery.description,
            content_hash="ebdb6aeaa42d",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.KillQuery.Answer",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Interruption",
            ),
            level=4,
            number="18.2.2",
            file="requirements/srs032_replace_partition.md",
            line=689,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer.description,
            content_hash="52a48512bb76",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.ClientDisconnect",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Interruption",
            ),
            level=4,
            number="18.2.3",
            file="requirements/srs032_replace_partition.md",
            line=695,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect.description,
            content_hash="4f711ecf60d3",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Readers",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Readers and Writers at the Same Time",
            ),
            level=4,
            number="18.3.1",
            file="requirements/srs032_replace_partition.md",
            line=703,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers.description,
            content_hash="9c7575df2c7d",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Concurrent.SameDestination",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Readers and Writers at the Same Time",
            ),
            level=4,
            number="18.3.2",
            file="requirements/srs032_replace_partition.md",
            line=709,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination.description,
            content_hash="b05f6f343804",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.Deduplication.Window",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Inserts Afterwards",
            ),
            level=4,
            number="18.4.1",
            file="requirements/srs032_replace_partition.md",
            line=717,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window.description,
            content_hash="cc065a8176b4",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window",
        ),
        model.RequirementText(
            name="RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.RowPolicy",
            version="1.0",
            specification="SRS-032",
            heading_path=(
                "Beyond the Source",
                "Restricted Readers",
            ),
            level=4,
            number="18.5.1",
            file="requirements/srs032_replace_partition.md",
            line=725,
            text=RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy.description,
            content_hash="62e3d5f16b7b",
            origin="ours",
            untested_reason="",
            python_name="RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy",
        ),
    ),
)

SRS_032 = Specification(
    name="SRS-032 ClickHouse ALTER TABLE REPLACE PARTITION",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=tuple(
        Specification.Heading(section.title, section.level, section.number)
        for section in TABLE.sections
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
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Restart,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Readers,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SameDestination,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Deduplication_Window,
        RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_RowPolicy,
    ),
)
