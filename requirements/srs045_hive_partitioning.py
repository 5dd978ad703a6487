"""SRS-045 Hive Partitioning: generated from srs045_hive_partitioning.md, do not edit."""

# fmt: off
# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

RQ_HivePartitioning_Support = Requirement("RQ.HivePartitioning.Support", "1.0", level=3, num="3.1", description="""\
[ClickHouse] SHALL read directory names of the form `name=value` in the paths of external data as virtual columns.

A query can then use a partition key like a column and need not take paths apart itself. Of `data/sales/date=2025-01-01/file1.parquet` the directory `date=2025-01-01` becomes the hive column `date`.

```sql
SET use_hive_partitioning = 1;

SELECT id, date FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
ORDER BY id;
```\
""")

RQ_HivePartitioning_EnableSetting = Requirement("RQ.HivePartitioning.EnableSetting", "1.0", level=3, num="3.2", description="""\
[ClickHouse] SHALL switch the recognition of hive partitions on and off, for all table engines and table functions that read files, by the setting `use_hive_partitioning`.

In a version that has it off by default, the user switches it on before the first query that needs it.

```sql
SET use_hive_partitioning = 1;
```\
""")

RQ_HivePartitioning_EnableSetting_ExistingTable = Requirement("RQ.HivePartitioning.EnableSetting.ExistingTable", "1.0", level=3, num="3.3", group="ours", description="""\
[ClickHouse] SHALL follow the `use_hive_partitioning` of the query when a table is read, whatever the setting was when the table was created.

A query that names a hive column while the setting is 0 fails with `Unknown identifier` (47), as it does for a table function.\
""")

RQ_HivePartitioning_Generic_Pruning = Requirement("RQ.HivePartitioning.Generic.Pruning", "1.0", level=3, num="3.4", description="""\
[ClickHouse] SHALL leave out, with hive partitioning enabled, each partition that the query's conditions on partition keys exclude:

* no file of it is read;
* its directory is not listed.

This saves traffic to the storage. The query below reads one of three files, `file2.parquet`.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE sales (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/sales/**.parquet', format = Parquet);

SELECT id FROM sales WHERE date = '2025-01-02'; -- 2
```\
""")

RQ_HivePartitioning_Generic_Pruning_MixedConditions = Requirement("RQ.HivePartitioning.Generic.Pruning.MixedConditions", "1.0", level=3, num="3.5", group="ours", description="""\
[ClickHouse] SHALL read no file of a partition that a condition on partition keys and other columns together excludes, however the condition is written.

`NOT (year = 2021 OR id = 1)` excludes the year 2021 as `year != 2021 AND id != 1` does.\
""")

RQ_HivePartitioning_Generic_Performance = Requirement("RQ.HivePartitioning.Generic.Performance", "1.0", level=3, num="3.6", description="""\
[ClickHouse] SHALL answer a query whose `WHERE` condition on partition keys excludes files in less time with `use_hive_partitioning = 1` than with `use_hive_partitioning = 0`.

The same query can run with both settings where the files hold the partition key as a column, too. Without hive partitioning the server has to open each of them to learn that it has no such row.

```sql
INSERT INTO FUNCTION s3(s3_conn, filename = 'data/days/day=1/file1.parquet', format = Parquet)
SELECT 1::UInt32 AS id, 1::UInt16 AS day
SETTINGS use_hive_partitioning = 0, s3_truncate_on_insert = 1;

INSERT INTO FUNCTION s3(s3_conn, filename = 'data/days/day=2/file2.parquet', format = Parquet)
SELECT 2::UInt32 AS id, 2::UInt16 AS day
SETTINGS use_hive_partitioning = 0, s3_truncate_on_insert = 1;

SELECT id FROM s3(s3_conn, filename = 'data/days/**.parquet', format = Parquet, structure = 'id UInt32, day UInt16')
WHERE day = 2
SETTINGS use_hive_partitioning = 0; -- 2

SELECT id FROM s3(s3_conn, filename = 'data/days/**.parquet', format = Parquet, structure = 'id UInt32, day UInt16')
WHERE day = 2
SETTINGS use_hive_partitioning = 1; -- 2
```\
""")

RQ_HivePartitioning_Generic_Encoding = Requirement("RQ.HivePartitioning.Generic.Encoding", "1.0", level=3, num="3.7", group="ours", description="""\
[ClickHouse] SHALL take keys and values of every script for what they are, byte for byte in UTF-8: texts that differ are different partitions, also where they look the same, and a condition on a key finds the rows of its text and no others.\
""")

RQ_HivePartitioning_VirtualColumns = Requirement("RQ.HivePartitioning.VirtualColumns", "1.0", level=3, num="4.1", description="""\
[ClickHouse] SHALL provide one virtual column for every partition key in the path of a file, under the key's name and with the partition value in each row of that file.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE trips (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/trips/**.parquet', format = Parquet);

SELECT DISTINCT city FROM trips ORDER BY city; -- 'Berlin', 'London'
```\
""")

RQ_HivePartitioning_VirtualColumns_DuplicateKey = Requirement("RQ.HivePartitioning.VirtualColumns.DuplicateKey", "1.0", level=3, num="4.2", group="ours", description="""\
[ClickHouse] SHALL fail a query of a path that has the same partition key twice with different values.

Of `city=London/city=Paris/` neither value is more right than the other. Twice the same value is no contradiction.\
""")

RQ_HivePartitioning_VirtualColumns_UnevenKeys = Requirement("RQ.HivePartitioning.VirtualColumns.UnevenKeys", "1.0", level=3, num="4.3", group="ours", description="""\
[ClickHouse] SHALL refuse a query that names a partition key which some of the files lack in their paths, with an error about the paths and not a logical error (49) of the server.\
""")

RQ_HivePartitioning_VirtualColumns_ReadOnly = Requirement("RQ.HivePartitioning.VirtualColumns.ReadOnly", "1.0", level=3, num="4.4", description="""\
[ClickHouse] SHALL fail every attempt to insert into or otherwise modify a hive column with the error `DB::Exception: Failed to check existence of a key`.\
""")

RQ_HivePartitioning_VirtualColumns_Appearance = Requirement("RQ.HivePartitioning.VirtualColumns.Appearance", "1.0", level=3, num="4.5", description="""\
[ClickHouse] SHALL NOT include hive columns in a result unless the query names them.

`SELECT *` from the table below yields `id` and not `city`.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE trips (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/trips/**.parquet', format = Parquet);

SELECT * FROM trips ORDER BY id; -- 1, 2
```\
""")

RQ_HivePartitioning_VirtualColumns_Accessibility = Requirement("RQ.HivePartitioning.VirtualColumns.Accessibility", "1.0", level=3, num="4.6", description="""\
[ClickHouse] SHALL allow queries to select hive columns and to filter by them.

No file of this example contains a column `date`.

```sql
SET use_hive_partitioning = 1;

SELECT date FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
WHERE date = '2025-01-01';
```\
""")

RQ_HivePartitioning_VirtualColumns_Accessibility_Prewhere = Requirement("RQ.HivePartitioning.VirtualColumns.Accessibility.Prewhere", "1.0", level=3, num="4.7", group="ours", description="""\
[ClickHouse] SHALL allow hive columns in `PREWHERE` where it allows the columns of the files.\
""")

RQ_HivePartitioning_VirtualColumns_InvalidPath = Requirement("RQ.HivePartitioning.VirtualColumns.InvalidPath", "1.0", level=3, num="4.8", description="""\
[ClickHouse] SHALL fail a query whose path is invalid, or under whose path the expected files are missing, with the error `DB::Exception: Failed to check existence of a key`. This includes two cases:

* nothing exists at the path;
* the path does not follow the hive pattern, because a key or a value in it does not match.\
""")

RQ_HivePartitioning_VirtualColumns_NameConflict = Requirement("RQ.HivePartitioning.VirtualColumns.NameConflict", "1.0", level=3, num="4.9", description="""\
[ClickHouse] SHALL ignore a partition key that has the name of a column of the table and return the column's own value.

What the table declares goes before what a path suggests. In the example the file holds `2020-12-31` and its path says `2024-01-01`; the value in the file is the one to return.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE events (id UInt32, date Date)
ENGINE = S3(s3_conn, filename = 'data/conflict/**.parquet', format = Parquet);

SELECT date FROM events WHERE id = 1;
```\
""")

RQ_HivePartitioning_VirtualColumns_HiveDisabled = Requirement("RQ.HivePartitioning.VirtualColumns.HiveDisabled", "1.0", level=3, num="4.10", description="""\
[ClickHouse] SHALL provide no hive columns while `use_hive_partitioning` is 0.

```sql
SELECT date FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
SETTINGS use_hive_partitioning = 0; -- error 47
```\
""")

RQ_HivePartitioning_VirtualColumns_NonExistingKey = Requirement("RQ.HivePartitioning.VirtualColumns.NonExistingKey", "1.0", level=3, num="4.11", description="""\
[ClickHouse] SHALL fail a query that names a partition key occurring neither in the path nor among the table's columns with an `Unknown identifier` error (47).

```sql
SET use_hive_partitioning = 1;

CREATE TABLE sales (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/sales/**.parquet', format = Parquet);

SELECT region FROM sales; -- error 47
```\
""")

RQ_HivePartitioning_HivePartitionValue = Requirement("RQ.HivePartitioning.HivePartitionValue", "1.0", level=3, num="5.1", description="""\
[ClickHouse] SHALL give hive columns the type `LowCardinality(String)` and infer no other type from their values.

A directory `2024-01-01`, `123` or `true` on the right of the equals sign stays text until the query casts it.\
""")

RQ_HivePartitioning_HivePartitionValue_EmptyValue = Requirement("RQ.HivePartitioning.HivePartitionValue.EmptyValue", "1.0", level=3, num="5.2", description="""\
[ClickHouse] SHALL return an empty string for a partition key whose directory has nothing after the equals sign.

```sql
SET use_hive_partitioning = 1;

SELECT city FROM s3(s3_conn, filename = 'data/nameless/**.parquet', format = Parquet); -- ''
```\
""")

RQ_HivePartitioning_HivePartitionValue_PrunedAsRead = Requirement("RQ.HivePartitioning.HivePartitionValue.PrunedAsRead", "1.0", level=3, num="5.3", group="ours", description="""\
[ClickHouse] SHALL return the same rows for a condition on a key whether files are left out because of it or not.\
""")

RQ_HivePartitioning_HivePartitionValue_InferredFromAll = Requirement("RQ.HivePartitioning.HivePartitionValue.InferredFromAll", "1.0", level=3, num="5.4", group="ours", description="""\
[ClickHouse] SHALL return the value that the path has for every file where it infers the type of a key, or refuse the query if no type fits all values.\
""")

RQ_HivePartitioning_HivePartitionValue_OutOfRange = Requirement("RQ.HivePartitioning.HivePartitionValue.OutOfRange", "1.0", level=3, num="5.5", group="ours", description="""\
[ClickHouse] SHALL refuse a query that reads a key with a value that its type cannot hold, with an error that names the value or the key.\
""")

RQ_HivePartitioning_Wildcards = Requirement("RQ.HivePartitioning.Wildcards", "1.0", level=3, num="6.1", description="""\
[ClickHouse] SHALL resolve glob patterns in the paths of hive-partitioned data.\
""")

RQ_HivePartitioning_Wildcards_SingleStar = Requirement("RQ.HivePartitioning.Wildcards.SingleStar", "1.0", level=3, num="6.2", description="""\
[ClickHouse] SHALL match `*` in a hive-partitioned path with any run of characters that contains no `/`.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/visits/date=*/region=*/*', format = Parquet); -- 2
```\
""")

RQ_HivePartitioning_Wildcards_DoubleStar = Requirement("RQ.HivePartitioning.Wildcards.DoubleStar", "1.0", level=3, num="6.3", description="""\
[ClickHouse] SHALL match `**` in a hive-partitioned path with any run of characters, `/` among them.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/visits/**/file1.parquet', format = Parquet); -- 1
```\
""")

RQ_HivePartitioning_Wildcards_QuestionMark = Requirement("RQ.HivePartitioning.Wildcards.QuestionMark", "1.0", level=3, num="6.4", description="""\
[ClickHouse] SHALL match `?` in a hive-partitioned path with exactly one character other than `/`.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/sales/date=2025-01-0?/*', format = Parquet); -- 3
```\
""")

RQ_HivePartitioning_Wildcards_List = Requirement("RQ.HivePartitioning.Wildcards.List", "1.0", level=3, num="6.5", description="""\
[ClickHouse] SHALL match `{a,b,c}` in a hive-partitioned path with each of the alternatives it lists.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/sales/date=2025-01-{01,03}/*', format = Parquet); -- 2
```\
""")

RQ_HivePartitioning_Wildcards_WrongList = Requirement("RQ.HivePartitioning.Wildcards.WrongList", "1.0", level=3, num="6.6", description="""\
[ClickHouse] SHALL fail a query if an alternative of a `{a,b,c}` list leads to a path that does not exist.\
""")

RQ_HivePartitioning_Wildcards_Range = Requirement("RQ.HivePartitioning.Wildcards.Range", "1.0", level=3, num="6.7", description="""\
[ClickHouse] SHALL match `{N..M}` in a hive-partitioned path with every integer from `N` up to and including `M`.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/sales/date=2025-01-0{1..3}/*', format = Parquet); -- 3
```\
""")

RQ_HivePartitioning_Wildcards_WrongRange = Requirement("RQ.HivePartitioning.Wildcards.WrongRange", "1.0", level=3, num="6.8", description="""\
[ClickHouse] SHALL fail a query if a bound of a `{N..M}` range is invalid or one of its numbers leads to a path that does not exist.\
""")

RQ_HivePartitioning_Wildcards_NoMatch = Requirement("RQ.HivePartitioning.Wildcards.NoMatch", "1.0", level=3, num="6.9", group="ours", description="""\
[ClickHouse] SHALL return no rows for a pattern that matches no object, or fail the query with error 107 if `s3_throw_on_zero_files_match = 1`.\
""")

RQ_HivePartitioning_Wildcards_Escaping = Requirement("RQ.HivePartitioning.Wildcards.Escaping", "1.0", level=3, num="6.10", description="""\
[ClickHouse] SHALL take `*`, `?`, `{` and `}` in a path literally where a backslash precedes them.

The path `data/\\{special\\}/file.parquet` names the one object `data/{special}/file.parquet`.\
""")

RQ_HivePartitioning_TableFunction_S3 = Requirement("RQ.HivePartitioning.TableFunction.S3", "1.0", level=3, num="7.1", description="""\
[ClickHouse] SHALL, in the table function `s3` over a path with `name=value` directories and with `use_hive_partitioning` enabled:

* recognise the partition keys;
* offer them as hive columns;
* prune by the query's conditions.

The query below reads the one file that lies under both a late enough `date` and the region `EU`.

```sql
SET use_hive_partitioning = 1;

SELECT count() FROM s3(s3_conn, filename = 'data/visits/date=*/region=*/*.parquet', format = Parquet)
WHERE region = 'EU' AND date >= '2022-01-01'; -- 1
```\
""")

RQ_HivePartitioning_TableFunction_S3Cluster = Requirement("RQ.HivePartitioning.TableFunction.S3Cluster", "1.0", level=3, num="7.2", description="""\
[ClickHouse] SHALL do on every node that takes part in the table function `s3Cluster` what it does for `s3`:

* recognise the partition keys;
* offer hive columns;
* read only files that the conditions leave.

A distributed query thus gives the result of a local one, and no node reads more than it needs. The example runs on a cluster named `my_cluster`.

```sql
SET use_hive_partitioning = 1;

SELECT count()
FROM s3Cluster('my_cluster', s3_conn, filename = 'data/visits/date=*/region=*/*.parquet', format = Parquet)
WHERE region = 'EU' AND date >= '2022-01-01'; -- 1
```\
""")

RQ_HivePartitioning_TableFunction_HDFS = Requirement("RQ.HivePartitioning.TableFunction.HDFS", "1.0", level=3, num="7.3", description="""\
[ClickHouse] SHALL, in the table function `hdfs` over a path with `name=value` directories and with `use_hive_partitioning` enabled:

* recognise the partition keys;
* offer them as hive columns;
* prune by the query's conditions.

The example needs an HDFS server at `namenode:9000` that has files under `/data`.

```sql
SELECT *
FROM hdfs('hdfs://namenode:9000/data/year=*/region=*/*.parquet', 'Parquet')
WHERE region = 'US' AND year = '2023'
SETTINGS use_hive_partitioning = 1;
```\
""")

RQ_HivePartitioning_TableEngines_S3 = Requirement("RQ.HivePartitioning.TableEngines.S3", "1.0", level=3, num="8.1", description="""\
[ClickHouse] SHALL read hive-partitioned data through a table of the `S3` engine whose `PARTITION BY` clause names the partition keys, and take their values from the paths.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE sales (id UInt32, date Date)
ENGINE = S3(s3_conn, filename = 'data/sales', format = Parquet, partition_strategy = 'hive')
PARTITION BY date;

SELECT id FROM sales WHERE date = '2025-01-02'; -- 2
```\
""")

RQ_HivePartitioning_TableEngines_S3_PatternAndPartitionBy = Requirement("RQ.HivePartitioning.TableEngines.S3.PatternAndPartitionBy", "1.0", level=3, num="8.2", group="ours", description="""\
[ClickHouse] SHALL create, load and read a table of the S3 engine over a pattern that has a `PARTITION BY` clause and no `partition_strategy`.\
""")

RQ_HivePartitioning_TableEngines_HDFS = Requirement("RQ.HivePartitioning.TableEngines.HDFS", "1.0", level=3, num="8.3", description="""\
[ClickHouse] SHALL read hive-partitioned data through a table of the `HDFS` engine whose `PARTITION BY` clause names the partition keys, and take their values from the paths.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE hdfs_sales (x Int64, date Date)
ENGINE = HDFS('hdfs://namenode:9000/data/date=*/file.parquet', 'Parquet')
PARTITION BY date;
```\
""")

RQ_HivePartitioning_TableEngines_HDFS_Inserts = Requirement("RQ.HivePartitioning.TableEngines.HDFS.Inserts", "1.0", level=3, num="8.4", group="ours", description="""\
[ClickHouse] SHALL fail an `INSERT` through the table function `hdfs` or a table of the `HDFS` engine if HDFS does not take all of its rows.\
""")

RQ_HivePartitioning_TableEngines_Hive = Requirement("RQ.HivePartitioning.TableEngines.Hive", "1.0", level=3, num="8.5", description="""\
[ClickHouse] SHALL read hive-partitioned data through a table of the `Hive` engine, learn the partition keys from the schema in the Hive Metastore, and offer them as virtual columns.\
""")

RQ_HivePartitioning_Writes_S3 = Requirement("RQ.HivePartitioning.Writes.S3", "1.0", level=3, num="9.1", description="""\
[ClickHouse] SHALL write inserted rows into hive-style directories through a table of the `S3` engine.

```sql
CREATE TABLE hive_writes (year UInt16, country String, x UInt8)
ENGINE = S3(s3_conn, filename = 'hive_writes', format = Parquet, partition_strategy = 'hive')
PARTITION BY (year, country);

INSERT INTO hive_writes VALUES (2022, 'USA', 1), (2022, 'Canada', 2);
```

Each row goes into the directory of its partition:

```text
hive_writes/year=2022/country=USA/...
hive_writes/year=2022/country=Canada/...
```\
""")

RQ_HivePartitioning_Writes_UseHivePartitions = Requirement("RQ.HivePartitioning.Writes.UseHivePartitions", "1.0", level=3, num="9.2", description="""\
[ClickHouse] SHALL write into hive-style directories where `partition_strategy = 'hive'` is given, even with `use_hive_partitioning = 0`.

```sql
SET use_hive_partitioning = 0;

CREATE TABLE written_anyway (year UInt16, country String, x UInt8)
ENGINE = S3(s3_conn, filename = 'written_anyway', format = Parquet, partition_strategy = 'hive')
PARTITION BY (year, country);

INSERT INTO written_anyway VALUES (2023, 'Germany', 10), (2023, 'France', 20);
```

The objects lie here:

```text
written_anyway/year=2023/country=Germany/...
written_anyway/year=2023/country=France/...
```\
""")

RQ_HivePartitioning_Writes_PartitionsParts = Requirement("RQ.HivePartitioning.Writes.PartitionsParts", "1.0", level=3, num="9.3", description="""\
[ClickHouse] SHALL write into any number of partitions of a table with the strategy `hive`:

* into several partitions in one `INSERT`;
* into the same partitions or others in several `INSERT` statements.\
""")

RQ_HivePartitioning_Writes_FileExist = Requirement("RQ.HivePartitioning.Writes.FileExist", "1.0", level=3, num="9.4", description="""\
[ClickHouse] SHALL append inserted rows to a file that already exists in a table with the strategy `hive`, and neither delete nor overwrite what the file held before.\
""")

RQ_HivePartitioning_Writes_ParallelInserts = Requirement("RQ.HivePartitioning.Writes.ParallelInserts", "1.0", level=3, num="9.5", description="""\
[ClickHouse] SHALL let concurrent `INSERT` statements into the same partition or file of a table with the strategy `hive` succeed without losing or damaging rows.\
""")

RQ_HivePartitioning_Writes_WriteFail = Requirement("RQ.HivePartitioning.Writes.WriteFail", "1.0", level=3, num="9.6", description="""\
[ClickHouse] SHALL leave nothing of an insert behind if writing one or more of its objects fails.\
""")

RQ_HivePartitioning_Writes_PartitionStrategy = Requirement("RQ.HivePartitioning.Writes.PartitionStrategy", "1.0", level=3, num="10.1", description="""\
[ClickHouse] SHALL decide by the parameter `partition_strategy` of the `S3` engine, which defaults to `'auto'`, whether a table is written hive-style.

| value | effect |
|---|---|
| `'hive'` | rows go into `key=value` directories made from the `PARTITION BY` clause |
| `'auto'` | no hive-style directories are made |\
""")

RQ_HivePartitioning_Writes_PartitionStrategyWrongArgument = Requirement("RQ.HivePartitioning.Writes.PartitionStrategyWrongArgument", "1.0", level=3, num="10.2", description="""\
[ClickHouse] SHALL refuse a `partition_strategy` other than `'auto'` and `'hive'` with an error that begins with `DB::Exception: Unknown partitioning style`.\
""")

RQ_HivePartitioning_Writes_PartitionColumnsInDataFile = Requirement("RQ.HivePartitioning.Writes.PartitionColumnsInDataFile", "1.0", level=3, num="10.3", description="""\
[ClickHouse] SHALL decide by the parameter `partition_columns_in_data_file` of an `S3` table with the strategy `hive`, which defaults to false, whether the columns of the `PARTITION BY` clause are written into the data files as well.

| value | columns of `PARTITION BY` |
|---|---|
| true | stand in the files and in the path |
| false | stand in the path only, from which a reader takes them |

```sql
CREATE TABLE with_keys (year UInt16, x UInt8)
ENGINE = S3(s3_conn, filename = 'with_keys', format = Parquet, partition_strategy = 'hive', partition_columns_in_data_file = 1)
PARTITION BY year;
```\
""")

RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWithoutHivePartitionStrategy = Requirement("RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWithoutHivePartitionStrategy", "1.0", level=3, num="10.4", description="""\
[ClickHouse] SHALL refuse `partition_columns_in_data_file` on a table whose strategy is `auto` or not given.\
""")

RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWrongArgument = Requirement("RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWrongArgument", "1.0", level=3, num="10.5", description="""\
[ClickHouse] SHALL refuse a value of `partition_columns_in_data_file` that has no reading as a truth value.

```sql
CREATE TABLE undecided (year UInt16, x UInt8)
ENGINE = S3(s3_conn, filename = 'undecided', format = Parquet, partition_strategy = 'hive', partition_columns_in_data_file = 'maybe')
PARTITION BY year; -- error 36
```\
""")

RQ_HivePartitioning_Writes_Path = Requirement("RQ.HivePartitioning.Writes.Path", "1.0", level=3, num="10.6", description="""\
[ClickHouse] SHALL create the objects of a hive-partitioned `S3` table under the bucket and optional prefix that the path of the table gives.

What comes behind the path, the directory given by `filename` and the `key=value` directories, is added by the server.\
""")

RQ_HivePartitioning_Writes_InvalidPath = Requirement("RQ.HivePartitioning.Writes.InvalidPath", "1.0", level=3, num="10.7", description="""\
[ClickHouse] SHALL refuse for a table with the strategy `hive`, with the error `DB::Exception: Invalid S3 key`, a path that

* is no valid S3 address;
* contains illegal characters.\
""")

RQ_HivePartitioning_Writes_Filename = Requirement("RQ.HivePartitioning.Writes.Filename", "1.0", level=3, num="10.8", description="""\
[ClickHouse] SHALL put the directory named by the parameter `filename`, which is for the strategy `hive` only, between the path and the first `key=value` directory of everything it writes.

```text
<path>/<filename>/<key1>=<value1>/<key2>=<value2>/...
```\
""")

RQ_HivePartitioning_Writes_FilenameWithoutHivePartitionStrategy = Requirement("RQ.HivePartitioning.Writes.FilenameWithoutHivePartitionStrategy", "1.0", level=3, num="10.9", description="""\
[ClickHouse] SHALL refuse `filename` on a table whose strategy is `auto` or not given.\
""")

RQ_HivePartitioning_Writes_NotDefinedFilename = Requirement("RQ.HivePartitioning.Writes.NotDefinedFilename", "1.0", level=3, num="10.10", description="""\
[ClickHouse] SHALL begin with the first `key=value` directory right behind the path when a table with the strategy `hive` has no `filename`.

```text
<path>/<key1>=<value1>/<key2>=<value2>/...
```\
""")

RQ_HivePartitioning_Writes_S3EngineParameters = Requirement("RQ.HivePartitioning.Writes.S3EngineParameters", "1.0", level=3, num="10.11", description="""\
[ClickHouse] SHALL treat these parameters of the `S3` engine under the strategy `hive` as it does without it:

* `aws_access_key_id`;
* `aws_secret_access_key`;
* `format`;
* `compression`.\
""")

RQ_HivePartitioning_Writes_PartitionBy = Requirement("RQ.HivePartitioning.Writes.PartitionBy", "1.0", level=3, num="11.1", description="""\
[ClickHouse] SHALL refuse to create a table with the strategy `hive` and no valid `PARTITION BY` clause with the error `DB::Exception: Partition strategy hive can not be used without a PARTITION BY expression.`

The directories of a table are thus always declared and never guessed. `tuple()` is a clause: it declares that there are none.

```sql
CREATE TABLE no_partition_by (year UInt16, value UInt32)
ENGINE = S3(s3_conn, filename = 'no_partition_by', format = Parquet, partition_strategy = 'hive'); -- error 36
```\
""")

RQ_HivePartitioning_Writes_PartitionKey = Requirement("RQ.HivePartitioning.Writes.PartitionKey", "1.0", level=3, num="11.2", description="""\
[ClickHouse] SHALL write the rows of an insert under one directory `key=value` for each column of the `PARTITION BY` clause, nested in the order of the clause, and create the file there if it does not exist.

Characters that are harmless in directory names, such as a blank, `-`, `_` and `%`, may occur in values; they are encoded where the storage asks for it.

```sql
CREATE TABLE hive_orders (region String, year UInt16, order_id UInt64)
ENGINE = S3(s3_conn, filename = 'orders', format = Parquet, partition_strategy = 'hive')
PARTITION BY (region, year);

INSERT INTO hive_orders VALUES ('North-America', 2024, 1);
```

The row is stored here:

```text
orders/region=North-America/year=2024/...
```\
""")

RQ_HivePartitioning_Writes_Expressions = Requirement("RQ.HivePartitioning.Writes.Expressions", "1.0", level=3, num="11.3", description="""\
[ClickHouse] SHALL refuse a `PARTITION BY` clause with anything but column names in it for a table with the strategy `hive`.

```sql
CREATE TABLE by_expression (year UInt16, month UInt8, value UInt32)
ENGINE = S3(s3_conn, filename = 'by_expression', format = Parquet, partition_strategy = 'hive')
PARTITION BY toString(year); -- error 36
```\
""")

RQ_HivePartitioning_Writes_MissingColumn = Requirement("RQ.HivePartitioning.Writes.MissingColumn", "1.0", level=3, num="11.4", description="""\
[ClickHouse] SHALL refuse a table with a column in its `PARTITION BY` clause that the table does not have.

```sql
CREATE TABLE no_country (year UInt16, value UInt32)
ENGINE = S3(s3_conn, filename = 'no_country', format = Parquet, partition_strategy = 'hive')
PARTITION BY (year, country); -- error 47
```\
""")

RQ_HivePartitioning_Writes_DefaultValue = Requirement("RQ.HivePartitioning.Writes.DefaultValue", "1.0", level=3, num="11.5", description="""\
[ClickHouse] SHALL use the column's declared default as the partition value when an `INSERT` into a table with the strategy `hive` leaves out a column of the `PARTITION BY` clause.

```sql
CREATE TABLE hive_sales (year UInt16 DEFAULT 2023, country String DEFAULT 'Unknown', value UInt32)
ENGINE = S3(s3_conn, filename = 'hive_sales', format = Parquet, partition_strategy = 'hive')
PARTITION BY (year, country);

INSERT INTO hive_sales (value) VALUES (100);
```

Neither column was given, so the row lies here:

```text
hive_sales/year=2023/country=Unknown/...
```\
""")

RQ_HivePartitioning_Writes_SupportedDataTypes = Requirement("RQ.HivePartitioning.Writes.SupportedDataTypes", "1.0", level=3, num="12.1", description="""\
[ClickHouse] SHALL write tables with the strategy `hive` that are partitioned by columns of the following types, for every value that

* is shorter than 1024 characters;
* is free of `{`, `}`, `\\`, `/`, `"`, `'`, `*` and `?`.

| kind | types |
|---|---|
| signed integers | `Int8`, `Int16`, `Int32`, `Int64`, `Int128`, `Int256` |
| unsigned integers | `UInt8`, `UInt16`, `UInt32`, `UInt64`, `UInt128`, `UInt256` |
| text | `String`, `FixedString(N)` |
| dates and times | `Date`, `Date32`, `Time`, `Time64(N)`, `DateTime`, `DateTime64(N)` |
| truth values | `Bool` |\
""")

RQ_HivePartitioning_Writes_NullableDataType = Requirement("RQ.HivePartitioning.Writes.NullableDataType", "1.0", level=3, num="12.2", description="""\
[ClickHouse] SHALL refuse a nullable column in the `PARTITION BY` clause of a table with the strategy `hive` with the error `DB::Exception: Hive partitioning supports only partition columns of types`.

```sql
CREATE TABLE nullable_year (year Nullable(UInt16), value UInt32)
ENGINE = S3(s3_conn, filename = 'nullable_year', format = Parquet, partition_strategy = 'hive')
PARTITION BY year; -- error 36
```\
""")

RQ_HivePartitioning_Writes_DataTypesUnsupported = Requirement("RQ.HivePartitioning.Writes.DataTypesUnsupported", "1.0", level=3, num="12.3", description="""\
[ClickHouse] SHALL refuse a column of a type that the requirement on supported types does not list in the `PARTITION BY` clause of a table with the strategy `hive`, with the error `DB::Exception: Hive partitioning supports only partition columns of types`.

```sql
CREATE TABLE by_float (ratio Float64, value UInt32)
ENGINE = S3(s3_conn, filename = 'by_float', format = Parquet, partition_strategy = 'hive')
PARTITION BY ratio; -- error 36
```\
""")

RQ_HivePartitioning_Writes_ReadOnlyBucket = Requirement("RQ.HivePartitioning.Writes.ReadOnlyBucket", "1.0", level=3, num="13.1", description="""\
[ClickHouse] SHALL fail an insert into a bucket that may only be read with the error `DB::Exception: Failed to check existence of a key`.\
""")

RQ_HivePartitioning_Writes_NonAccessibleBucket = Requirement("RQ.HivePartitioning.Writes.NonAccessibleBucket", "1.0", level=3, num="13.2", description="""\
[ClickHouse] SHALL fail an insert into a bucket that cannot be reached, or not with the credentials of the table, with the error `DB::Exception: Failed to check existence of a key`.\
""")

RQ_HivePartitioning_Interoperation_Reads = Requirement("RQ.HivePartitioning.Interoperation.Reads", "1.0", level=3, num="14.1", group="ours", description="""\
[ClickHouse] SHALL return, of a hive-partitioned data set that Apache Spark wrote, every row once and with the values that it was written with.

This holds for many directories, many small files, partitions of very different sizes, and directories whose keys are not all in the same order.\
""")

RQ_HivePartitioning_Interoperation_Writes = Requirement("RQ.HivePartitioning.Interoperation.Writes", "1.0", level=3, num="14.2", group="ours", description="""\
[ClickHouse] SHALL write hive-partitioned tables in such a way that Apache Spark reads every row once and with the values that were inserted.\
""")

RQ_HivePartitioning_Interoperation_NullPartition = Requirement("RQ.HivePartitioning.Interoperation.NullPartition", "1.0", level=3, num="14.3", group="ours", description="""\
[ClickHouse] SHALL read the partition value `__HIVE_DEFAULT_PARTITION__`, by which Hive and Spark mark rows without a value, as `NULL`.\
""")

RQ_HivePartitioning_Interoperation_Escaping = Requirement("RQ.HivePartitioning.Interoperation.Escaping", "1.0", level=3, num="14.4", group="ours", description="""\
[ClickHouse] SHALL read a partition value in which Hive or Spark wrote a character as `%` and two hexadecimal digits as having that character, and write such characters so that Hive and Spark read them as they were.\
""")

RQ_HivePartitioning_Interoperation_DuckDB_Reads = Requirement("RQ.HivePartitioning.Interoperation.DuckDB.Reads", "1.0", level=3, num="14.5", group="ours", description="""\
[ClickHouse] SHALL return, of a hive-partitioned data set that DuckDB wrote with `COPY ... PARTITION_BY`, every row once and with the values that it was written with, in whichever order the keys are in the directories.\
""")

RQ_HivePartitioning_Interoperation_DuckDB_Writes = Requirement("RQ.HivePartitioning.Interoperation.DuckDB.Writes", "1.0", level=3, num="14.6", group="ours", description="""\
[ClickHouse] SHALL write hive-partitioned tables in such a way that DuckDB reads every row once and with the values that were inserted.\
""")

RQ_HivePartitioning_Interoperation_DuckDB_Names = Requirement("RQ.HivePartitioning.Interoperation.DuckDB.Names", "1.0", level=3, num="14.7", group="ours", description="""\
[ClickHouse] SHALL read a text or `NULL` from the directory that DuckDB makes for it, and write a text into a directory from which DuckDB reads the same text.

DuckDB writes every character but letters, digits and a few marks as `%` and two hexadecimal digits for each byte, a missing value as `__HIVE_DEFAULT_PARTITION__` and the empty text as no character at all.\
""")

SRS_045 = Specification(
    name="SRS-045 Hive Partitioning",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=(
        Specification.Heading("Introduction", 2, "1"),
        Specification.Heading("Data of the Examples", 2, "2"),
        Specification.Heading("Generic Behavior", 2, "3"),
        Specification.Heading("RQ.HivePartitioning.Support", 3, "3.1"),
        Specification.Heading("RQ.HivePartitioning.EnableSetting", 3, "3.2"),
        Specification.Heading("RQ.HivePartitioning.EnableSetting.ExistingTable", 3, "3.3"),
        Specification.Heading("RQ.HivePartitioning.Generic.Pruning", 3, "3.4"),
        Specification.Heading("RQ.HivePartitioning.Generic.Pruning.MixedConditions", 3, "3.5"),
        Specification.Heading("RQ.HivePartitioning.Generic.Performance", 3, "3.6"),
        Specification.Heading("RQ.HivePartitioning.Generic.Encoding", 3, "3.7"),
        Specification.Heading("Virtual Columns", 2, "4"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns", 3, "4.1"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.DuplicateKey", 3, "4.2"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.UnevenKeys", 3, "4.3"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.ReadOnly", 3, "4.4"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.Appearance", 3, "4.5"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.Accessibility", 3, "4.6"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.Accessibility.Prewhere", 3, "4.7"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.InvalidPath", 3, "4.8"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.NameConflict", 3, "4.9"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.HiveDisabled", 3, "4.10"),
        Specification.Heading("RQ.HivePartitioning.VirtualColumns.NonExistingKey", 3, "4.11"),
        Specification.Heading("Partition Values", 2, "5"),
        Specification.Heading("RQ.HivePartitioning.HivePartitionValue", 3, "5.1"),
        Specification.Heading("RQ.HivePartitioning.HivePartitionValue.EmptyValue", 3, "5.2"),
        Specification.Heading("RQ.HivePartitioning.HivePartitionValue.PrunedAsRead", 3, "5.3"),
        Specification.Heading("RQ.HivePartitioning.HivePartitionValue.InferredFromAll", 3, "5.4"),
        Specification.Heading("RQ.HivePartitioning.HivePartitionValue.OutOfRange", 3, "5.5"),
        Specification.Heading("Wildcards", 2, "6"),
        Specification.Heading("RQ.HivePartitioning.Wildcards", 3, "6.1"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.SingleStar", 3, "6.2"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.DoubleStar", 3, "6.3"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.QuestionMark", 3, "6.4"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.List", 3, "6.5"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.WrongList", 3, "6.6"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.Range", 3, "6.7"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.WrongRange", 3, "6.8"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.NoMatch", 3, "6.9"),
        Specification.Heading("RQ.HivePartitioning.Wildcards.Escaping", 3, "6.10"),
        Specification.Heading("Table Functions", 2, "7"),
        Specification.Heading("RQ.HivePartitioning.TableFunction.S3", 3, "7.1"),
        Specification.Heading("RQ.HivePartitioning.TableFunction.S3Cluster", 3, "7.2"),
        Specification.Heading("RQ.HivePartitioning.TableFunction.HDFS", 3, "7.3"),
        Specification.Heading("Table Engines", 2, "8"),
        Specification.Heading("RQ.HivePartitioning.TableEngines.S3", 3, "8.1"),
        Specification.Heading("RQ.HivePartitioning.TableEngines.S3.PatternAndPartitionBy", 3, "8.2"),
        Specification.Heading("RQ.HivePartitioning.TableEngines.HDFS", 3, "8.3"),
        Specification.Heading("RQ.HivePartitioning.TableEngines.HDFS.Inserts", 3, "8.4"),
        Specification.Heading("RQ.HivePartitioning.TableEngines.Hive", 3, "8.5"),
        Specification.Heading("Writing to S3", 2, "9"),
        Specification.Heading("RQ.HivePartitioning.Writes.S3", 3, "9.1"),
        Specification.Heading("RQ.HivePartitioning.Writes.UseHivePartitions", 3, "9.2"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionsParts", 3, "9.3"),
        Specification.Heading("RQ.HivePartitioning.Writes.FileExist", 3, "9.4"),
        Specification.Heading("RQ.HivePartitioning.Writes.ParallelInserts", 3, "9.5"),
        Specification.Heading("RQ.HivePartitioning.Writes.WriteFail", 3, "9.6"),
        Specification.Heading("Engine Parameters", 2, "10"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionStrategy", 3, "10.1"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionStrategyWrongArgument", 3, "10.2"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionColumnsInDataFile", 3, "10.3"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWithoutHivePartitionStrategy", 3, "10.4"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWrongArgument", 3, "10.5"),
        Specification.Heading("RQ.HivePartitioning.Writes.Path", 3, "10.6"),
        Specification.Heading("RQ.HivePartitioning.Writes.InvalidPath", 3, "10.7"),
        Specification.Heading("RQ.HivePartitioning.Writes.Filename", 3, "10.8"),
        Specification.Heading("RQ.HivePartitioning.Writes.FilenameWithoutHivePartitionStrategy", 3, "10.9"),
        Specification.Heading("RQ.HivePartitioning.Writes.NotDefinedFilename", 3, "10.10"),
        Specification.Heading("RQ.HivePartitioning.Writes.S3EngineParameters", 3, "10.11"),
        Specification.Heading("Partition By Clause", 2, "11"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionBy", 3, "11.1"),
        Specification.Heading("RQ.HivePartitioning.Writes.PartitionKey", 3, "11.2"),
        Specification.Heading("RQ.HivePartitioning.Writes.Expressions", 3, "11.3"),
        Specification.Heading("RQ.HivePartitioning.Writes.MissingColumn", 3, "11.4"),
        Specification.Heading("RQ.HivePartitioning.Writes.DefaultValue", 3, "11.5"),
        Specification.Heading("Data Types of Partition Keys", 2, "12"),
        Specification.Heading("RQ.HivePartitioning.Writes.SupportedDataTypes", 3, "12.1"),
        Specification.Heading("RQ.HivePartitioning.Writes.NullableDataType", 3, "12.2"),
        Specification.Heading("RQ.HivePartitioning.Writes.DataTypesUnsupported", 3, "12.3"),
        Specification.Heading("Access to the Bucket", 2, "13"),
        Specification.Heading("RQ.HivePartitioning.Writes.ReadOnlyBucket", 3, "13.1"),
        Specification.Heading("RQ.HivePartitioning.Writes.NonAccessibleBucket", 3, "13.2"),
        Specification.Heading("Interoperation", 2, "14"),
        Specification.Heading("RQ.HivePartitioning.Interoperation.Reads", 3, "14.1"),
        Specification.Heading("RQ.HivePartitioning.Interoperation.Writes", 3, "14.2"),
        Specification.Heading("RQ.HivePartitioning.Interoperation.NullPartition", 3, "14.3"),
        Specification.Heading("RQ.HivePartitioning.Interoperation.Escaping", 3, "14.4"),
        Specification.Heading("RQ.HivePartitioning.Interoperation.DuckDB.Reads", 3, "14.5"),
        Specification.Heading("RQ.HivePartitioning.Interoperation.DuckDB.Writes", 3, "14.6"),
        Specification.Heading("RQ.HivePartitioning.Interoperation.DuckDB.Names", 3, "14.7"),
        Specification.Heading("Changes from the Source", 2, "15"),
    ),
    requirements=(
        RQ_HivePartitioning_Support,
        RQ_HivePartitioning_EnableSetting,
        RQ_HivePartitioning_EnableSetting_ExistingTable,
        RQ_HivePartitioning_Generic_Pruning,
        RQ_HivePartitioning_Generic_Pruning_MixedConditions,
        RQ_HivePartitioning_Generic_Performance,
        RQ_HivePartitioning_Generic_Encoding,
        RQ_HivePartitioning_VirtualColumns,
        RQ_HivePartitioning_VirtualColumns_DuplicateKey,
        RQ_HivePartitioning_VirtualColumns_UnevenKeys,
        RQ_HivePartitioning_VirtualColumns_ReadOnly,
        RQ_HivePartitioning_VirtualColumns_Appearance,
        RQ_HivePartitioning_VirtualColumns_Accessibility,
        RQ_HivePartitioning_VirtualColumns_Accessibility_Prewhere,
        RQ_HivePartitioning_VirtualColumns_InvalidPath,
        RQ_HivePartitioning_VirtualColumns_NameConflict,
        RQ_HivePartitioning_VirtualColumns_HiveDisabled,
        RQ_HivePartitioning_VirtualColumns_NonExistingKey,
        RQ_HivePartitioning_HivePartitionValue,
        RQ_HivePartitioning_HivePartitionValue_EmptyValue,
        RQ_HivePartitioning_HivePartitionValue_PrunedAsRead,
        RQ_HivePartitioning_HivePartitionValue_InferredFromAll,
        RQ_HivePartitioning_HivePartitionValue_OutOfRange,
        RQ_HivePartitioning_Wildcards,
        RQ_HivePartitioning_Wildcards_SingleStar,
        RQ_HivePartitioning_Wildcards_DoubleStar,
        RQ_HivePartitioning_Wildcards_QuestionMark,
        RQ_HivePartitioning_Wildcards_List,
        RQ_HivePartitioning_Wildcards_WrongList,
        RQ_HivePartitioning_Wildcards_Range,
        RQ_HivePartitioning_Wildcards_WrongRange,
        RQ_HivePartitioning_Wildcards_NoMatch,
        RQ_HivePartitioning_Wildcards_Escaping,
        RQ_HivePartitioning_TableFunction_S3,
        RQ_HivePartitioning_TableFunction_S3Cluster,
        RQ_HivePartitioning_TableFunction_HDFS,
        RQ_HivePartitioning_TableEngines_S3,
        RQ_HivePartitioning_TableEngines_S3_PatternAndPartitionBy,
        RQ_HivePartitioning_TableEngines_HDFS,
        RQ_HivePartitioning_TableEngines_HDFS_Inserts,
        RQ_HivePartitioning_TableEngines_Hive,
        RQ_HivePartitioning_Writes_S3,
        RQ_HivePartitioning_Writes_UseHivePartitions,
        RQ_HivePartitioning_Writes_PartitionsParts,
        RQ_HivePartitioning_Writes_FileExist,
        RQ_HivePartitioning_Writes_ParallelInserts,
        RQ_HivePartitioning_Writes_WriteFail,
        RQ_HivePartitioning_Writes_PartitionStrategy,
        RQ_HivePartitioning_Writes_PartitionStrategyWrongArgument,
        RQ_HivePartitioning_Writes_PartitionColumnsInDataFile,
        RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWithoutHivePartitionStrategy,
        RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWrongArgument,
        RQ_HivePartitioning_Writes_Path,
        RQ_HivePartitioning_Writes_InvalidPath,
        RQ_HivePartitioning_Writes_Filename,
        RQ_HivePartitioning_Writes_FilenameWithoutHivePartitionStrategy,
        RQ_HivePartitioning_Writes_NotDefinedFilename,
        RQ_HivePartitioning_Writes_S3EngineParameters,
        RQ_HivePartitioning_Writes_PartitionBy,
        RQ_HivePartitioning_Writes_PartitionKey,
        RQ_HivePartitioning_Writes_Expressions,
        RQ_HivePartitioning_Writes_MissingColumn,
        RQ_HivePartitioning_Writes_DefaultValue,
        RQ_HivePartitioning_Writes_SupportedDataTypes,
        RQ_HivePartitioning_Writes_NullableDataType,
        RQ_HivePartitioning_Writes_DataTypesUnsupported,
        RQ_HivePartitioning_Writes_ReadOnlyBucket,
        RQ_HivePartitioning_Writes_NonAccessibleBucket,
        RQ_HivePartitioning_Interoperation_Reads,
        RQ_HivePartitioning_Interoperation_Writes,
        RQ_HivePartitioning_Interoperation_NullPartition,
        RQ_HivePartitioning_Interoperation_Escaping,
        RQ_HivePartitioning_Interoperation_DuckDB_Reads,
        RQ_HivePartitioning_Interoperation_DuckDB_Writes,
        RQ_HivePartitioning_Interoperation_DuckDB_Names,
    ),
)
