"""SRS-045 Hive Partitioning: generated from srs045_hive_partitioning.md, do not edit."""

# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

from requirements.compiler import model

RQ_HivePartitioning_Support = Requirement(
    name="RQ.HivePartitioning.Support",
    version="1.0",
    description="""\
[ClickHouse] SHALL read directory names of the form `name=value` in the paths of external data as virtual columns.

A query can then use a partition key like a column and need not take paths apart itself. Of `data/sales/date=2025-01-01/file1.parquet` the directory `date=2025-01-01` becomes the hive column `date`.

```sql
SET use_hive_partitioning = 1;

SELECT id, date FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
ORDER BY id;
```\
""",
    level=3,
    num="3.1",
)

RQ_HivePartitioning_EnableSetting = Requirement(
    name="RQ.HivePartitioning.EnableSetting",
    version="1.0",
    description="""\
[ClickHouse] SHALL switch the recognition of hive partitions on and off, for all table engines and table functions that read files, by the setting `use_hive_partitioning`.

In a version that has it off by default, the user switches it on before the first query that needs it.

```sql
SET use_hive_partitioning = 1;
```\
""",
    level=3,
    num="3.2",
)

RQ_HivePartitioning_Generic_Pruning = Requirement(
    name="RQ.HivePartitioning.Generic.Pruning",
    version="1.0",
    description="""\
[ClickHouse] SHALL read, with hive partitioning enabled, no file of a partition that the query's conditions on partition keys exclude.

Neither listing nor scanning such directories saves traffic to the storage. The query below reads one of three files, `file2.parquet`.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE sales (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/sales/**.parquet', format = Parquet);

SELECT id FROM sales WHERE date = '2025-01-02'; -- 2
```\
""",
    level=3,
    num="3.3",
)

RQ_HivePartitioning_Generic_Performance = Requirement(
    name="RQ.HivePartitioning.Generic.Performance",
    version="1.0",
    description="""\
[ClickHouse] SHALL answer a query whose `WHERE` condition on partition keys excludes files in less time with `use_hive_partitioning = 1` than an equivalent query takes with `use_hive_partitioning = 0`.

Without hive partitioning there is no column `date`; the equivalent query has to extract it from `_path`, after reading.

```sql
SELECT id FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
WHERE extract(_path, 'date=([^/]+)') = '2025-01-02'
SETTINGS use_hive_partitioning = 0; -- 2

SELECT id FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
WHERE date = '2025-01-02'
SETTINGS use_hive_partitioning = 1; -- 2
```\
""",
    level=3,
    num="3.4",
)

RQ_HivePartitioning_VirtualColumns = Requirement(
    name="RQ.HivePartitioning.VirtualColumns",
    version="1.0",
    description="""\
[ClickHouse] SHALL provide one virtual column for every partition key in the path of a file, under the key's name and with the partition value in each row of that file.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE trips (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/trips/**.parquet', format = Parquet);

SELECT DISTINCT city FROM trips ORDER BY city; -- 'Berlin', 'London'
```\
""",
    level=3,
    num="4.1",
)

RQ_HivePartitioning_VirtualColumns_ReadOnly = Requirement(
    name="RQ.HivePartitioning.VirtualColumns.ReadOnly",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail every attempt to insert into or otherwise modify a hive column with the error `DB::Exception: Failed to check existence of a key`.\
""",
    level=3,
    num="4.2",
)

RQ_HivePartitioning_VirtualColumns_Appearance = Requirement(
    name="RQ.HivePartitioning.VirtualColumns.Appearance",
    version="1.0",
    description="""\
[ClickHouse] SHALL NOT include hive columns in a result unless the query names them.

`SELECT *` from the table below yields `id` and not `city`.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE trips (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/trips/**.parquet', format = Parquet);

SELECT * FROM trips ORDER BY id; -- 1, 2
```\
""",
    level=3,
    num="4.3",
)

RQ_HivePartitioning_VirtualColumns_Accessibility = Requirement(
    name="RQ.HivePartitioning.VirtualColumns.Accessibility",
    version="1.0",
    description="""\
[ClickHouse] SHALL allow hive columns to be selected and used in conditions like stored columns.

No file of this example contains a column `date`.

```sql
SET use_hive_partitioning = 1;

SELECT date FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
WHERE date = '2025-01-01';
```\
""",
    level=3,
    num="4.4",
)

RQ_HivePartitioning_VirtualColumns_InvalidPath = Requirement(
    name="RQ.HivePartitioning.VirtualColumns.InvalidPath",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail a query whose path is invalid, or under whose path the expected files are missing, with the error `DB::Exception: Failed to check existence of a key`.

Two ways lead there: nothing exists at the path, or the path does not follow the hive pattern because a key or a value in it does not match.\
""",
    level=3,
    num="4.5",
)

RQ_HivePartitioning_VirtualColumns_NameConflict = Requirement(
    name="RQ.HivePartitioning.VirtualColumns.NameConflict",
    version="1.0",
    description="""\
[ClickHouse] SHALL ignore a partition key that has the name of a column of the table and return the column's own value.

What the table declares goes before what a path suggests. In the example the file holds `2020-12-31` and its path says `2024-01-01`; the value in the file is the one to return.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE events (id UInt32, date Date)
ENGINE = S3(s3_conn, filename = 'data/conflict/**.parquet', format = Parquet);

SELECT date FROM events WHERE id = 1;
```\
""",
    level=3,
    num="4.6",
)

RQ_HivePartitioning_VirtualColumns_HiveDisabled = Requirement(
    name="RQ.HivePartitioning.VirtualColumns.HiveDisabled",
    version="1.0",
    description="""\
[ClickHouse] SHALL provide no hive columns while `use_hive_partitioning` is 0.

```sql
SELECT date FROM s3(s3_conn, filename = 'data/sales/date=*/*.parquet', format = Parquet)
SETTINGS use_hive_partitioning = 0; -- error 47
```\
""",
    level=3,
    num="4.7",
)

RQ_HivePartitioning_VirtualColumns_NonExistingKey = Requirement(
    name="RQ.HivePartitioning.VirtualColumns.NonExistingKey",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail a query that names a partition key occurring neither in the path nor among the table's columns with an `Unknown identifier` error (47).

```sql
SET use_hive_partitioning = 1;

CREATE TABLE sales (id UInt32)
ENGINE = S3(s3_conn, filename = 'data/sales/**.parquet', format = Parquet);

SELECT region FROM sales; -- error 47
```\
""",
    level=3,
    num="4.8",
)

RQ_HivePartitioning_HivePartitionValue = Requirement(
    name="RQ.HivePartitioning.HivePartitionValue",
    version="1.0",
    description="""\
[ClickHouse] SHALL give hive columns the type `LowCardinality(String)` and infer no other type from their values.

A directory `2024-01-01`, `123` or `true` on the right of the equals sign stays text until the query casts it.\
""",
    level=3,
    num="5.1",
)

RQ_HivePartitioning_HivePartitionValue_EmptyValue = Requirement(
    name="RQ.HivePartitioning.HivePartitionValue.EmptyValue",
    version="1.0",
    description="""\
[ClickHouse] SHALL return an empty string for a partition key whose directory has nothing after the equals sign.

```sql
SET use_hive_partitioning = 1;

SELECT city FROM s3(s3_conn, filename = 'data/nameless/**.parquet', format = Parquet); -- ''
```\
""",
    level=3,
    num="5.2",
)

RQ_HivePartitioning_Wildcards = Requirement(
    name="RQ.HivePartitioning.Wildcards",
    version="1.0",
    description="""\
[ClickHouse] SHALL resolve glob patterns in the paths of hive-partitioned data.\
""",
    level=3,
    num="6.1",
)

RQ_HivePartitioning_Wildcards_SingleStar = Requirement(
    name="RQ.HivePartitioning.Wildcards.SingleStar",
    version="1.0",
    description="""\
[ClickHouse] SHALL match `*` in a hive-partitioned path with any run of characters that contains no `/`.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/visits/date=*/region=*/*', format = Parquet); -- 2
```\
""",
    level=3,
    num="6.2",
)

RQ_HivePartitioning_Wildcards_DoubleStar = Requirement(
    name="RQ.HivePartitioning.Wildcards.DoubleStar",
    version="1.0",
    description="""\
[ClickHouse] SHALL match `**` in a hive-partitioned path with any run of characters, `/` among them.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/visits/**/file1.parquet', format = Parquet); -- 1
```\
""",
    level=3,
    num="6.3",
)

RQ_HivePartitioning_Wildcards_QuestionMark = Requirement(
    name="RQ.HivePartitioning.Wildcards.QuestionMark",
    version="1.0",
    description="""\
[ClickHouse] SHALL match `?` in a hive-partitioned path with exactly one character other than `/`.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/sales/date=2025-01-0?/*', format = Parquet); -- 3
```\
""",
    level=3,
    num="6.4",
)

RQ_HivePartitioning_Wildcards_List = Requirement(
    name="RQ.HivePartitioning.Wildcards.List",
    version="1.0",
    description="""\
[ClickHouse] SHALL match `{a,b,c}` in a hive-partitioned path with each of the alternatives it lists.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/sales/date=2025-01-{01,03}/*', format = Parquet); -- 2
```\
""",
    level=3,
    num="6.5",
)

RQ_HivePartitioning_Wildcards_WrongList = Requirement(
    name="RQ.HivePartitioning.Wildcards.WrongList",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail a query if an alternative of a `{a,b,c}` list leads to a path that does not exist.\
""",
    level=3,
    num="6.6",
)

RQ_HivePartitioning_Wildcards_Range = Requirement(
    name="RQ.HivePartitioning.Wildcards.Range",
    version="1.0",
    description="""\
[ClickHouse] SHALL match `{N..M}` in a hive-partitioned path with every integer from `N` up to and including `M`.

```sql
SELECT count() FROM s3(s3_conn, filename = 'data/sales/date=2025-01-0{1..3}/*', format = Parquet); -- 3
```\
""",
    level=3,
    num="6.7",
)

RQ_HivePartitioning_Wildcards_WrongRange = Requirement(
    name="RQ.HivePartitioning.Wildcards.WrongRange",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail a query if a bound of a `{N..M}` range is invalid or one of its numbers leads to a path that does not exist.\
""",
    level=3,
    num="6.8",
)

RQ_HivePartitioning_Wildcards_Escaping = Requirement(
    name="RQ.HivePartitioning.Wildcards.Escaping",
    version="1.0",
    description="""\
[ClickHouse] SHALL take `*`, `?`, `{` and `}` in a path literally where a backslash precedes them.

The path `data/\\{special\\}/file.parquet` names the one object `data/{special}/file.parquet`.\
""",
    level=3,
    num="6.9",
)

RQ_HivePartitioning_TableFunction_S3 = Requirement(
    name="RQ.HivePartitioning.TableFunction.S3",
    version="1.0",
    description="""\
[ClickHouse] SHALL, in the table function `s3` over a path with `name=value` directories and with `use_hive_partitioning` enabled, recognise the partition keys, offer them as hive columns and prune by the query's conditions.

The query below reads the one file that lies under both a late enough `date` and the region `EU`.

```sql
SET use_hive_partitioning = 1;

SELECT count() FROM s3(s3_conn, filename = 'data/visits/date=*/region=*/*.parquet', format = Parquet)
WHERE region = 'EU' AND date >= '2022-01-01'; -- 1
```\
""",
    level=3,
    num="7.1",
)

RQ_HivePartitioning_TableFunction_S3Cluster = Requirement(
    name="RQ.HivePartitioning.TableFunction.S3Cluster",
    version="1.0",
    description="""\
[ClickHouse] SHALL do on every node that takes part in the table function `s3Cluster` what it does for `s3`: recognise the partition keys, offer hive columns and read only files that the conditions leave.

A distributed query thus gives the result of a local one, and no node reads more than it needs. The example runs on a cluster named `my_cluster`.

```sql
SET use_hive_partitioning = 1;

SELECT count()
FROM s3Cluster('my_cluster', s3_conn, filename = 'data/visits/date=*/region=*/*.parquet', format = Parquet)
WHERE region = 'EU' AND date >= '2022-01-01'; -- 1
```\
""",
    level=3,
    num="7.2",
)

RQ_HivePartitioning_TableFunction_HDFS = Requirement(
    name="RQ.HivePartitioning.TableFunction.HDFS",
    version="1.0",
    description="""\
[ClickHouse] SHALL, in the table function `hdfs` over a path with `name=value` directories and with `use_hive_partitioning` enabled, recognise the partition keys, offer them as hive columns and prune by the query's conditions.

The example needs an HDFS server at `namenode:9000` that has files under `/data`.

```sql
SELECT *
FROM hdfs('hdfs://namenode:9000/data/year=*/region=*/*.parquet', 'Parquet')
WHERE region = 'US' AND year = '2023'
SETTINGS use_hive_partitioning = 1;
```\
""",
    level=3,
    num="7.3",
)

RQ_HivePartitioning_TableEngines_S3 = Requirement(
    name="RQ.HivePartitioning.TableEngines.S3",
    version="1.0",
    description="""\
[ClickHouse] SHALL read hive-partitioned data through a table of the `S3` engine whose `PARTITION BY` clause names the partition keys, and take their values from the paths.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE sales (id UInt32, date Date)
ENGINE = S3(s3_conn, filename = 'data/sales', format = Parquet, partition_strategy = 'hive')
PARTITION BY date;

SELECT id FROM sales WHERE date = '2025-01-02'; -- 2
```\
""",
    level=3,
    num="8.1",
)

RQ_HivePartitioning_TableEngines_HDFS = Requirement(
    name="RQ.HivePartitioning.TableEngines.HDFS",
    version="1.0",
    description="""\
[ClickHouse] SHALL read hive-partitioned data through a table of the `HDFS` engine whose `PARTITION BY` clause names the partition keys, and take their values from the paths.

```sql
SET use_hive_partitioning = 1;

CREATE TABLE hdfs_sales (x Int64, date Date)
ENGINE = HDFS('hdfs://namenode:9000/data/date=*/file.parquet', 'Parquet')
PARTITION BY date;
```\
""",
    level=3,
    num="8.2",
)

RQ_HivePartitioning_TableEngines_Hive = Requirement(
    name="RQ.HivePartitioning.TableEngines.Hive",
    version="1.0",
    description="""\
[ClickHouse] SHALL read hive-partitioned data through a table of the `Hive` engine, learn the partition keys from the schema in the Hive Metastore, and offer them as virtual columns.\
""",
    level=3,
    num="8.3",
)

RQ_HivePartitioning_Writes_S3 = Requirement(
    name="RQ.HivePartitioning.Writes.S3",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="9.1",
)

RQ_HivePartitioning_Writes_UseHivePartitions = Requirement(
    name="RQ.HivePartitioning.Writes.UseHivePartitions",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="9.2",
)

RQ_HivePartitioning_Writes_PartitionsParts = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionsParts",
    version="1.0",
    description="""\
[ClickHouse] SHALL write into any number of partitions of a table with the strategy `hive`, be it in one `INSERT` or in several, into new partitions or the same again.\
""",
    level=3,
    num="9.3",
)

RQ_HivePartitioning_Writes_FileExist = Requirement(
    name="RQ.HivePartitioning.Writes.FileExist",
    version="1.0",
    description="""\
[ClickHouse] SHALL append inserted rows to a file that already exists in a table with the strategy `hive`, and neither delete nor overwrite what the file held before.\
""",
    level=3,
    num="9.4",
)

RQ_HivePartitioning_Writes_ParallelInserts = Requirement(
    name="RQ.HivePartitioning.Writes.ParallelInserts",
    version="1.0",
    description="""\
[ClickHouse] SHALL let concurrent `INSERT` statements into the same partition or file of a table with the strategy `hive` succeed without losing or damaging rows.\
""",
    level=3,
    num="9.5",
)

RQ_HivePartitioning_Writes_WriteFail = Requirement(
    name="RQ.HivePartitioning.Writes.WriteFail",
    version="1.0",
    description="""\
[ClickHouse] SHALL leave nothing of an insert behind if writing one or more of its objects fails.\
""",
    level=3,
    num="9.6",
)

RQ_HivePartitioning_Writes_PartitionStrategy = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionStrategy",
    version="1.0",
    description="""\
[ClickHouse] SHALL decide by the parameter `partition_strategy` of the `S3` engine, which defaults to `'auto'`, whether a table is written hive-style.

| value | effect |
|---|---|
| `'hive'` | rows go into `key=value` directories made from the `PARTITION BY` clause |
| `'auto'` | no hive-style directories are made |\
""",
    level=3,
    num="10.1",
)

RQ_HivePartitioning_Writes_PartitionStrategyWrongArgument = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionStrategyWrongArgument",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse a `partition_strategy` other than `'auto'` and `'hive'` with an error that begins with `DB::Exception: Unknown partitioning style`.\
""",
    level=3,
    num="10.2",
)

RQ_HivePartitioning_Writes_PartitionColumnsInDataFile = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionColumnsInDataFile",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="10.3",
)

RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWithoutHivePartitionStrategy = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWithoutHivePartitionStrategy",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse `partition_columns_in_data_file` on a table whose strategy is `auto` or not given.\
""",
    level=3,
    num="10.4",
)

RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWrongArgument = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWrongArgument",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse a value of `partition_columns_in_data_file` that has no reading as a truth value.

```sql
CREATE TABLE undecided (year UInt16, x UInt8)
ENGINE = S3(s3_conn, filename = 'undecided', format = Parquet, partition_strategy = 'hive', partition_columns_in_data_file = 'maybe')
PARTITION BY year; -- error 36
```\
""",
    level=3,
    num="10.5",
)

RQ_HivePartitioning_Writes_Path = Requirement(
    name="RQ.HivePartitioning.Writes.Path",
    version="1.0",
    description="""\
[ClickHouse] SHALL create the objects of a hive-partitioned `S3` table under the bucket and optional prefix that the path of the table gives.

What comes behind the path, the directory given by `filename` and the `key=value` directories, is added by the server.\
""",
    level=3,
    num="10.6",
)

RQ_HivePartitioning_Writes_InvalidPath = Requirement(
    name="RQ.HivePartitioning.Writes.InvalidPath",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse a path that is no valid S3 address or contains illegal characters with the error `DB::Exception: Invalid S3 key` for a table with the strategy `hive`.\
""",
    level=3,
    num="10.7",
)

RQ_HivePartitioning_Writes_Filename = Requirement(
    name="RQ.HivePartitioning.Writes.Filename",
    version="1.0",
    description="""\
[ClickHouse] SHALL put the directory named by the parameter `filename`, which is for the strategy `hive` only, between the path and the first `key=value` directory of everything it writes.

```text
<path>/<filename>/<key1>=<value1>/<key2>=<value2>/...
```\
""",
    level=3,
    num="10.8",
)

RQ_HivePartitioning_Writes_FilenameWithoutHivePartitionStrategy = Requirement(
    name="RQ.HivePartitioning.Writes.FilenameWithoutHivePartitionStrategy",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse `filename` on a table whose strategy is `auto` or not given.\
""",
    level=3,
    num="10.9",
)

RQ_HivePartitioning_Writes_NotDefinedFilename = Requirement(
    name="RQ.HivePartitioning.Writes.NotDefinedFilename",
    version="1.0",
    description="""\
[ClickHouse] SHALL begin with the first `key=value` directory right behind the path when a table with the strategy `hive` has no `filename`.

```text
<path>/<key1>=<value1>/<key2>=<value2>/...
```\
""",
    level=3,
    num="10.10",
)

RQ_HivePartitioning_Writes_S3EngineParameters = Requirement(
    name="RQ.HivePartitioning.Writes.S3EngineParameters",
    version="1.0",
    description="""\
[ClickHouse] SHALL treat the `S3` engine's parameters `aws_access_key_id`, `aws_secret_access_key`, `format` and `compression` under the strategy `hive` as it does without it.\
""",
    level=3,
    num="10.11",
)

RQ_HivePartitioning_Writes_PartitionBy = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionBy",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse to create a table with the strategy `hive` and no valid `PARTITION BY` clause with the error `DB::Exception: Partition strategy hive can not be used without a PARTITION BY expression.`

The directories of a table are thus always declared and never guessed.

```sql
CREATE TABLE no_partition_by (year UInt16, value UInt32)
ENGINE = S3(s3_conn, filename = 'no_partition_by', format = Parquet, partition_strategy = 'hive'); -- error 36
```\
""",
    level=3,
    num="11.1",
)

RQ_HivePartitioning_Writes_PartitionKey = Requirement(
    name="RQ.HivePartitioning.Writes.PartitionKey",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="11.2",
)

RQ_HivePartitioning_Writes_Expressions = Requirement(
    name="RQ.HivePartitioning.Writes.Expressions",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse a `PARTITION BY` clause with anything but column names in it for a table with the strategy `hive`.

```sql
CREATE TABLE by_expression (year UInt16, month UInt8, value UInt32)
ENGINE = S3(s3_conn, filename = 'by_expression', format = Parquet, partition_strategy = 'hive')
PARTITION BY toString(year); -- error 36
```\
""",
    level=3,
    num="11.3",
)

RQ_HivePartitioning_Writes_MissingColumn = Requirement(
    name="RQ.HivePartitioning.Writes.MissingColumn",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse a table with a column in its `PARTITION BY` clause that the table does not have.

```sql
CREATE TABLE no_country (year UInt16, value UInt32)
ENGINE = S3(s3_conn, filename = 'no_country', format = Parquet, partition_strategy = 'hive')
PARTITION BY (year, country); -- error 47
```\
""",
    level=3,
    num="11.4",
)

RQ_HivePartitioning_Writes_DefaultValue = Requirement(
    name="RQ.HivePartitioning.Writes.DefaultValue",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="11.5",
)

RQ_HivePartitioning_Writes_SupportedDataTypes = Requirement(
    name="RQ.HivePartitioning.Writes.SupportedDataTypes",
    version="1.0",
    description="""\
[ClickHouse] SHALL write tables with the strategy `hive` that are partitioned by columns of the following types, for values shorter than 1024 characters and free of `{`, `}`, `\\`, `/`, `"`, `'`, `*` and `?`.

| kind | types |
|---|---|
| signed integers | `Int8`, `Int16`, `Int32`, `Int64`, `Int128`, `Int256` |
| unsigned integers | `UInt8`, `UInt16`, `UInt32`, `UInt64`, `UInt128`, `UInt256` |
| text | `String`, `FixedString(N)` |
| dates and times | `Date`, `Date32`, `Time`, `Time64(N)`, `DateTime`, `DateTime64(N)` |
| truth values | `Bool` |\
""",
    level=3,
    num="12.1",
)

RQ_HivePartitioning_Writes_NullableDataType = Requirement(
    name="RQ.HivePartitioning.Writes.NullableDataType",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse a nullable column in the `PARTITION BY` clause of a table with the strategy `hive` with the error `DB::Exception: Hive partitioning supports only partition columns of types`.

```sql
CREATE TABLE nullable_year (year Nullable(UInt16), value UInt32)
ENGINE = S3(s3_conn, filename = 'nullable_year', format = Parquet, partition_strategy = 'hive')
PARTITION BY year; -- error 36
```\
""",
    level=3,
    num="12.2",
)

RQ_HivePartitioning_Writes_DataTypesUnsupported = Requirement(
    name="RQ.HivePartitioning.Writes.DataTypesUnsupported",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse a column of a type that the requirement on supported types does not list in the `PARTITION BY` clause of a table with the strategy `hive`, with the error `DB::Exception: Hive partitioning supports only partition columns of types`.

```sql
CREATE TABLE by_float (ratio Float64, value UInt32)
ENGINE = S3(s3_conn, filename = 'by_float', format = Parquet, partition_strategy = 'hive')
PARTITION BY ratio; -- error 36
```\
""",
    level=3,
    num="12.3",
)

RQ_HivePartitioning_Writes_ReadOnlyBucket = Requirement(
    name="RQ.HivePartitioning.Writes.ReadOnlyBucket",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail an insert into a bucket that may only be read with the error `DB::Exception: Failed to check existence of a key`.\
""",
    level=3,
    num="13.1",
)

RQ_HivePartitioning_Writes_NonAccessibleBucket = Requirement(
    name="RQ.HivePartitioning.Writes.NonAccessibleBucket",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail an insert into a bucket that cannot be reached, or not with the credentials of the table, with the error `DB::Exception: Failed to check existence of a key`.\
""",
    level=3,
    num="13.2",
)

TABLE = model.Specification(
    id="SRS-045",
    title="Hive Partitioning",
    file="requirements/srs045_hive_partitioning.md",
    line=1,
    state="planned",
    reason="reads and writes of hive-partitioned data get their scenarios after those of REPLACE PARTITION",
    sections=(
        model.Section(
            title="Introduction",
            level=2,
            number="1",
            line=79,
            anchor="introduction",
        ),
        model.Section(
            title="Data of the Examples",
            level=2,
            number="2",
            line=90,
            anchor="data-of-the-examples",
        ),
        model.Section(
            title="Generic Behavior",
            level=2,
            number="3",
            line=125,
            anchor="generic-behavior",
        ),
        model.Section(
            title="RQ.HivePartitioning.Support",
            level=3,
            number="3.1",
            line=127,
            anchor="rqhivepartitioningsupport",
        ),
        model.Section(
            title="RQ.HivePartitioning.EnableSetting",
            level=3,
            number="3.2",
            line=141,
            anchor="rqhivepartitioningenablesetting",
        ),
        model.Section(
            title="RQ.HivePartitioning.Generic.Pruning",
            level=3,
            number="3.3",
            line=152,
            anchor="rqhivepartitioninggenericpruning",
        ),
        model.Section(
            title="RQ.HivePartitioning.Generic.Performance",
            level=3,
            number="3.4",
            line=168,
            anchor="rqhivepartitioninggenericperformance",
        ),
        model.Section(
            title="Virtual Columns",
            level=2,
            number="4",
            line=185,
            anchor="virtual-columns",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns",
            level=3,
            number="4.1",
            line=187,
            anchor="rqhivepartitioningvirtualcolumns",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns.ReadOnly",
            level=3,
            number="4.2",
            line=201,
            anchor="rqhivepartitioningvirtualcolumnsreadonly",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns.Appearance",
            level=3,
            number="4.3",
            line=206,
            anchor="rqhivepartitioningvirtualcolumnsappearance",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns.Accessibility",
            level=3,
            number="4.4",
            line=222,
            anchor="rqhivepartitioningvirtualcolumnsaccessibility",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns.InvalidPath",
            level=3,
            number="4.5",
            line=236,
            anchor="rqhivepartitioningvirtualcolumnsinvalidpath",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns.NameConflict",
            level=3,
            number="4.6",
            line=243,
            anchor="rqhivepartitioningvirtualcolumnsnameconflict",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns.HiveDisabled",
            level=3,
            number="4.7",
            line=259,
            anchor="rqhivepartitioningvirtualcolumnshivedisabled",
        ),
        model.Section(
            title="RQ.HivePartitioning.VirtualColumns.NonExistingKey",
            level=3,
            number="4.8",
            line=269,
            anchor="rqhivepartitioningvirtualcolumnsnonexistingkey",
        ),
        model.Section(
            title="Partition Values",
            level=2,
            number="5",
            line=283,
            anchor="partition-values",
        ),
        model.Section(
            title="RQ.HivePartitioning.HivePartitionValue",
            level=3,
            number="5.1",
            line=285,
            anchor="rqhivepartitioninghivepartitionvalue",
        ),
        model.Section(
            title="RQ.HivePartitioning.HivePartitionValue.EmptyValue",
            level=3,
            number="5.2",
            line=292,
            anchor="rqhivepartitioninghivepartitionvalueemptyvalue",
        ),
        model.Section(
            title="Wildcards",
            level=2,
            number="6",
            line=303,
            anchor="wildcards",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards",
            level=3,
            number="6.1",
            line=305,
            anchor="rqhivepartitioningwildcards",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.SingleStar",
            level=3,
            number="6.2",
            line=310,
            anchor="rqhivepartitioningwildcardssinglestar",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.DoubleStar",
            level=3,
            number="6.3",
            line=319,
            anchor="rqhivepartitioningwildcardsdoublestar",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.QuestionMark",
            level=3,
            number="6.4",
            line=328,
            anchor="rqhivepartitioningwildcardsquestionmark",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.List",
            level=3,
            number="6.5",
            line=337,
            anchor="rqhivepartitioningwildcardslist",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.WrongList",
            level=3,
            number="6.6",
            line=346,
            anchor="rqhivepartitioningwildcardswronglist",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.Range",
            level=3,
            number="6.7",
            line=351,
            anchor="rqhivepartitioningwildcardsrange",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.WrongRange",
            level=3,
            number="6.8",
            line=360,
            anchor="rqhivepartitioningwildcardswrongrange",
        ),
        model.Section(
            title="RQ.HivePartitioning.Wildcards.Escaping",
            level=3,
            number="6.9",
            line=365,
            anchor="rqhivepartitioningwildcardsescaping",
        ),
        model.Section(
            title="Table Functions",
            level=2,
            number="7",
            line=372,
            anchor="table-functions",
        ),
        model.Section(
            title="RQ.HivePartitioning.TableFunction.S3",
            level=3,
            number="7.1",
            line=374,
            anchor="rqhivepartitioningtablefunctions3",
        ),
        model.Section(
            title="RQ.HivePartitioning.TableFunction.S3Cluster",
            level=3,
            number="7.2",
            line=388,
            anchor="rqhivepartitioningtablefunctions3cluster",
        ),
        model.Section(
            title="RQ.HivePartitioning.TableFunction.HDFS",
            level=3,
            number="7.3",
            line=403,
            anchor="rqhivepartitioningtablefunctionhdfs",
        ),
        model.Section(
            title="Table Engines",
            level=2,
            number="8",
            line=417,
            anchor="table-engines",
        ),
        model.Section(
            title="RQ.HivePartitioning.TableEngines.S3",
            level=3,
            number="8.1",
            line=419,
            anchor="rqhivepartitioningtableenginess3",
        ),
        model.Section(
            title="RQ.HivePartitioning.TableEngines.HDFS",
            level=3,
            number="8.2",
            line=434,
            anchor="rqhivepartitioningtableengineshdfs",
        ),
        model.Section(
            title="RQ.HivePartitioning.TableEngines.Hive",
            level=3,
            number="8.3",
            line=447,
            anchor="rqhivepartitioningtableengineshive",
        ),
        model.Section(
            title="Writing to S3",
            level=2,
            number="9",
            line=453,
            anchor="writing-to-s3",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.S3",
            level=3,
            number="9.1",
            line=455,
            anchor="rqhivepartitioningwritess3",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.UseHivePartitions",
            level=3,
            number="9.2",
            line=475,
            anchor="rqhivepartitioningwritesusehivepartitions",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionsParts",
            level=3,
            number="9.3",
            line=497,
            anchor="rqhivepartitioningwritespartitionsparts",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.FileExist",
            level=3,
            number="9.4",
            line=502,
            anchor="rqhivepartitioningwritesfileexist",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.ParallelInserts",
            level=3,
            number="9.5",
            line=507,
            anchor="rqhivepartitioningwritesparallelinserts",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.WriteFail",
            level=3,
            number="9.6",
            line=512,
            anchor="rqhivepartitioningwriteswritefail",
        ),
        model.Section(
            title="Engine Parameters",
            level=2,
            number="10",
            line=517,
            anchor="engine-parameters",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionStrategy",
            level=3,
            number="10.1",
            line=519,
            anchor="rqhivepartitioningwritespartitionstrategy",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionStrategyWrongArgument",
            level=3,
            number="10.2",
            line=529,
            anchor="rqhivepartitioningwritespartitionstrategywrongargument",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionColumnsInDataFile",
            level=3,
            number="10.3",
            line=534,
            anchor="rqhivepartitioningwritespartitioncolumnsindatafile",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWithoutHivePartitionStrategy",
            level=3,
            number="10.4",
            line=550,
            anchor="rqhivepartitioningwritespartitioncolumnsindatafilewithouthivepartitionstrategy",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWrongArgument",
            level=3,
            number="10.5",
            line=555,
            anchor="rqhivepartitioningwritespartitioncolumnsindatafilewrongargument",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.Path",
            level=3,
            number="10.6",
            line=566,
            anchor="rqhivepartitioningwritespath",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.InvalidPath",
            level=3,
            number="10.7",
            line=573,
            anchor="rqhivepartitioningwritesinvalidpath",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.Filename",
            level=3,
            number="10.8",
            line=578,
            anchor="rqhivepartitioningwritesfilename",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.FilenameWithoutHivePartitionStrategy",
            level=3,
            number="10.9",
            line=587,
            anchor="rqhivepartitioningwritesfilenamewithouthivepartitionstrategy",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.NotDefinedFilename",
            level=3,
            number="10.10",
            line=592,
            anchor="rqhivepartitioningwritesnotdefinedfilename",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.S3EngineParameters",
            level=3,
            number="10.11",
            line=601,
            anchor="rqhivepartitioningwritess3engineparameters",
        ),
        model.Section(
            title="Partition By Clause",
            level=2,
            number="11",
            line=606,
            anchor="partition-by-clause",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionBy",
            level=3,
            number="11.1",
            line=608,
            anchor="rqhivepartitioningwritespartitionby",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.PartitionKey",
            level=3,
            number="11.2",
            line=620,
            anchor="rqhivepartitioningwritespartitionkey",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.Expressions",
            level=3,
            number="11.3",
            line=641,
            anchor="rqhivepartitioningwritesexpressions",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.MissingColumn",
            level=3,
            number="11.4",
            line=652,
            anchor="rqhivepartitioningwritesmissingcolumn",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.DefaultValue",
            level=3,
            number="11.5",
            line=663,
            anchor="rqhivepartitioningwritesdefaultvalue",
        ),
        model.Section(
            title="Data Types of Partition Keys",
            level=2,
            number="12",
            line=682,
            anchor="data-types-of-partition-keys",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.SupportedDataTypes",
            level=3,
            number="12.1",
            line=684,
            anchor="rqhivepartitioningwritessupporteddatatypes",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.NullableDataType",
            level=3,
            number="12.2",
            line=697,
            anchor="rqhivepartitioningwritesnullabledatatype",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.DataTypesUnsupported",
            level=3,
            number="12.3",
            line=708,
            anchor="rqhivepartitioningwritesdatatypesunsupported",
        ),
        model.Section(
            title="Access to the Bucket",
            level=2,
            number="13",
            line=719,
            anchor="access-to-the-bucket",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.ReadOnlyBucket",
            level=3,
            number="13.1",
            line=721,
            anchor="rqhivepartitioningwritesreadonlybucket",
        ),
        model.Section(
            title="RQ.HivePartitioning.Writes.NonAccessibleBucket",
            level=3,
            number="13.2",
            line=726,
            anchor="rqhivepartitioningwritesnonaccessiblebucket",
        ),
        model.Section(
            title="Changes from the Source",
            level=2,
            number="14",
            line=731,
            anchor="changes-from-the-source",
        ),
    ),
    requirements=(
        model.RequirementText(
            name="RQ.HivePartitioning.Support",
            version="1.0",
            specification="SRS-045",
            heading_path=("Generic Behavior",),
            level=3,
            number="3.1",
            file="requirements/srs045_hive_partitioning.md",
            line=127,
            text=RQ_HivePartitioning_Support.description,
            content_hash="997eaba52b0e",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Support",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.EnableSetting",
            version="1.0",
            specification="SRS-045",
            heading_path=("Generic Behavior",),
            level=3,
            number="3.2",
            file="requirements/srs045_hive_partitioning.md",
            line=141,
            text=RQ_HivePartitioning_EnableSetting.description,
            content_hash="85e60cbaa69f",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_EnableSetting",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Generic.Pruning",
            version="1.0",
            specification="SRS-045",
            heading_path=("Generic Behavior",),
            level=3,
            number="3.3",
            file="requirements/srs045_hive_partitioning.md",
            line=152,
            text=RQ_HivePartitioning_Generic_Pruning.description,
            content_hash="39b3ebc3e4f0",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Generic_Pruning",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Generic.Performance",
            version="1.0",
            specification="SRS-045",
            heading_path=("Generic Behavior",),
            level=3,
            number="3.4",
            file="requirements/srs045_hive_partitioning.md",
            line=168,
            text=RQ_HivePartitioning_Generic_Performance.description,
            content_hash="231cc7513887",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Generic_Performance",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.1",
            file="requirements/srs045_hive_partitioning.md",
            line=187,
            text=RQ_HivePartitioning_VirtualColumns.description,
            content_hash="0db83eae0fab",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns.ReadOnly",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.2",
            file="requirements/srs045_hive_partitioning.md",
            line=201,
            text=RQ_HivePartitioning_VirtualColumns_ReadOnly.description,
            content_hash="451fd359baa5",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns_ReadOnly",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns.Appearance",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.3",
            file="requirements/srs045_hive_partitioning.md",
            line=206,
            text=RQ_HivePartitioning_VirtualColumns_Appearance.description,
            content_hash="31ba51b32b4f",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns_Appearance",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns.Accessibility",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.4",
            file="requirements/srs045_hive_partitioning.md",
            line=222,
            text=RQ_HivePartitioning_VirtualColumns_Accessibility.description,
            content_hash="80aa6cf79d57",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns_Accessibility",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns.InvalidPath",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.5",
            file="requirements/srs045_hive_partitioning.md",
            line=236,
            text=RQ_HivePartitioning_VirtualColumns_InvalidPath.description,
            content_hash="84282bf31190",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns_InvalidPath",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns.NameConflict",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.6",
            file="requirements/srs045_hive_partitioning.md",
            line=243,
            text=RQ_HivePartitioning_VirtualColumns_NameConflict.description,
            content_hash="9685fae44376",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns_NameConflict",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns.HiveDisabled",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.7",
            file="requirements/srs045_hive_partitioning.md",
            line=259,
            text=RQ_HivePartitioning_VirtualColumns_HiveDisabled.description,
            content_hash="5cb88d9dc216",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns_HiveDisabled",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.VirtualColumns.NonExistingKey",
            version="1.0",
            specification="SRS-045",
            heading_path=("Virtual Columns",),
            level=3,
            number="4.8",
            file="requirements/srs045_hive_partitioning.md",
            line=269,
            text=RQ_HivePartitioning_VirtualColumns_NonExistingKey.description,
            content_hash="1719ced574f2",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_VirtualColumns_NonExistingKey",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.HivePartitionValue",
            version="1.0",
            specification="SRS-045",
            heading_path=("Partition Values",),
            level=3,
            number="5.1",
            file="requirements/srs045_hive_partitioning.md",
            line=285,
            text=RQ_HivePartitioning_HivePartitionValue.description,
            content_hash="0a2b5a8ed62b",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_HivePartitionValue",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.HivePartitionValue.EmptyValue",
            version="1.0",
            specification="SRS-045",
            heading_path=("Partition Values",),
            level=3,
            number="5.2",
            file="requirements/srs045_hive_partitioning.md",
            line=292,
            text=RQ_HivePartitioning_HivePartitionValue_EmptyValue.description,
            content_hash="c4245bdad52c",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_HivePartitionValue_EmptyValue",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.1",
            file="requirements/srs045_hive_partitioning.md",
            line=305,
            text=RQ_HivePartitioning_Wildcards.description,
            content_hash="61a43bd7662a",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.SingleStar",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.2",
            file="requirements/srs045_hive_partitioning.md",
            line=310,
            text=RQ_HivePartitioning_Wildcards_SingleStar.description,
            content_hash="77b765b69da2",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_SingleStar",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.DoubleStar",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.3",
            file="requirements/srs045_hive_partitioning.md",
            line=319,
            text=RQ_HivePartitioning_Wildcards_DoubleStar.description,
            content_hash="50fd5870b44e",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_DoubleStar",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.QuestionMark",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.4",
            file="requirements/srs045_hive_partitioning.md",
            line=328,
            text=RQ_HivePartitioning_Wildcards_QuestionMark.description,
            content_hash="f0794dfc1cb7",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_QuestionMark",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.List",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.5",
            file="requirements/srs045_hive_partitioning.md",
            line=337,
            text=RQ_HivePartitioning_Wildcards_List.description,
            content_hash="afde8f252ad3",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_List",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.WrongList",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.6",
            file="requirements/srs045_hive_partitioning.md",
            line=346,
            text=RQ_HivePartitioning_Wildcards_WrongList.description,
            content_hash="251de74fe5ce",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_WrongList",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.Range",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.7",
            file="requirements/srs045_hive_partitioning.md",
            line=351,
            text=RQ_HivePartitioning_Wildcards_Range.description,
            content_hash="fead5578a21c",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_Range",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.WrongRange",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.8",
            file="requirements/srs045_hive_partitioning.md",
            line=360,
            text=RQ_HivePartitioning_Wildcards_WrongRange.description,
            content_hash="4e598599ca64",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_WrongRange",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Wildcards.Escaping",
            version="1.0",
            specification="SRS-045",
            heading_path=("Wildcards",),
            level=3,
            number="6.9",
            file="requirements/srs045_hive_partitioning.md",
            line=365,
            text=RQ_HivePartitioning_Wildcards_Escaping.description,
            content_hash="90c0a89f42f6",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Wildcards_Escaping",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.TableFunction.S3",
            version="1.0",
            specification="SRS-045",
            heading_path=("Table Functions",),
            level=3,
            number="7.1",
            file="requirements/srs045_hive_partitioning.md",
            line=374,
            text=RQ_HivePartitioning_TableFunction_S3.description,
            content_hash="a4d756692713",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_TableFunction_S3",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.TableFunction.S3Cluster",
            version="1.0",
            specification="SRS-045",
            heading_path=("Table Functions",),
            level=3,
            number="7.2",
            file="requirements/srs045_hive_partitioning.md",
            line=388,
            text=RQ_HivePartitioning_TableFunction_S3Cluster.description,
            content_hash="1767985bf6c6",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_TableFunction_S3Cluster",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.TableFunction.HDFS",
            version="1.0",
            specification="SRS-045",
            heading_path=("Table Functions",),
            level=3,
            number="7.3",
            file="requirements/srs045_hive_partitioning.md",
            line=403,
            text=RQ_HivePartitioning_TableFunction_HDFS.description,
            content_hash="790a9ee8f5db",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_TableFunction_HDFS",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.TableEngines.S3",
            version="1.0",
            specification="SRS-045",
            heading_path=("Table Engines",),
            level=3,
            number="8.1",
            file="requirements/srs045_hive_partitioning.md",
            line=419,
            text=RQ_HivePartitioning_TableEngines_S3.description,
            content_hash="200990541d2d",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_TableEngines_S3",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.TableEngines.HDFS",
            version="1.0",
            specification="SRS-045",
            heading_path=("Table Engines",),
            level=3,
            number="8.2",
            file="requirements/srs045_hive_partitioning.md",
            line=434,
            text=RQ_HivePartitioning_TableEngines_HDFS.description,
            content_hash="be65548fb8a3",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_TableEngines_HDFS",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.TableEngines.Hive",
            version="1.0",
            specification="SRS-045",
            heading_path=("Table Engines",),
            level=3,
            number="8.3",
            file="requirements/srs045_hive_partitioning.md",
            line=447,
            text=RQ_HivePartitioning_TableEngines_Hive.description,
            content_hash="71f9050dd9d4",
            origin="",
            untested_reason="the Hive table engine has been removed from ClickHouse",
            python_name="RQ_HivePartitioning_TableEngines_Hive",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.S3",
            version="1.0",
            specification="SRS-045",
            heading_path=("Writing to S3",),
            level=3,
            number="9.1",
            file="requirements/srs045_hive_partitioning.md",
            line=455,
            text=RQ_HivePartitioning_Writes_S3.description,
            content_hash="fb85ed724179",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_S3",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.UseHivePartitions",
            version="1.0",
            specification="SRS-045",
            heading_path=("Writing to S3",),
            level=3,
            number="9.2",
            file="requirements/srs045_hive_partitioning.md",
            line=475,
            text=RQ_HivePartitioning_Writes_UseHivePartitions.description,
            content_hash="67f656e8cd99",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_UseHivePartitions",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionsParts",
            version="1.0",
            specification="SRS-045",
            heading_path=("Writing to S3",),
            level=3,
            number="9.3",
            file="requirements/srs045_hive_partitioning.md",
            line=497,
            text=RQ_HivePartitioning_Writes_PartitionsParts.description,
            content_hash="ce16d7290ed4",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionsParts",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.FileExist",
            version="1.0",
            specification="SRS-045",
            heading_path=("Writing to S3",),
            level=3,
            number="9.4",
            file="requirements/srs045_hive_partitioning.md",
            line=502,
            text=RQ_HivePartitioning_Writes_FileExist.description,
            content_hash="b7292a4b1123",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_FileExist",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.ParallelInserts",
            version="1.0",
            specification="SRS-045",
            heading_path=("Writing to S3",),
            level=3,
            number="9.5",
            file="requirements/srs045_hive_partitioning.md",
            line=507,
            text=RQ_HivePartitioning_Writes_ParallelInserts.description,
            content_hash="709e7ab15a6d",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_ParallelInserts",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.WriteFail",
            version="1.0",
            specification="SRS-045",
            heading_path=("Writing to S3",),
            level=3,
            number="9.6",
            file="requirements/srs045_hive_partitioning.md",
            line=512,
            text=RQ_HivePartitioning_Writes_WriteFail.description,
            content_hash="fc7e07463871",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_WriteFail",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionStrategy",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.1",
            file="requirements/srs045_hive_partitioning.md",
            line=519,
            text=RQ_HivePartitioning_Writes_PartitionStrategy.description,
            content_hash="348636546a12",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionStrategy",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionStrategyWrongArgument",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.2",
            file="requirements/srs045_hive_partitioning.md",
            line=529,
            text=RQ_HivePartitioning_Writes_PartitionStrategyWrongArgument.description,
            content_hash="7be9d85ae890",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionStrategyWrongArgument",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionColumnsInDataFile",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.3",
            file="requirements/srs045_hive_partitioning.md",
            line=534,
            text=RQ_HivePartitioning_Writes_PartitionColumnsInDataFile.description,
            content_hash="a1b103b664b3",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionColumnsInDataFile",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWithoutHivePartitionStrategy",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.4",
            file="requirements/srs045_hive_partitioning.md",
            line=550,
            text=RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWithoutHivePartitionStrategy.description,
            content_hash="4ae86d71ffa8",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWithoutHivePartitionStrategy",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionColumnsInDataFileWrongArgument",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.5",
            file="requirements/srs045_hive_partitioning.md",
            line=555,
            text=RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWrongArgument.description,
            content_hash="d755744dedd2",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWrongArgument",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.Path",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.6",
            file="requirements/srs045_hive_partitioning.md",
            line=566,
            text=RQ_HivePartitioning_Writes_Path.description,
            content_hash="4fdbef9f920a",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_Path",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.InvalidPath",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.7",
            file="requirements/srs045_hive_partitioning.md",
            line=573,
            text=RQ_HivePartitioning_Writes_InvalidPath.description,
            content_hash="761abf9cfc8d",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_InvalidPath",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.Filename",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.8",
            file="requirements/srs045_hive_partitioning.md",
            line=578,
            text=RQ_HivePartitioning_Writes_Filename.description,
            content_hash="2350cfce4c22",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_Filename",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.FilenameWithoutHivePartitionStrategy",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.9",
            file="requirements/srs045_hive_partitioning.md",
            line=587,
            text=RQ_HivePartitioning_Writes_FilenameWithoutHivePartitionStrategy.description,
            content_hash="07d3a5ad9a95",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_FilenameWithoutHivePartitionStrategy",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.NotDefinedFilename",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.10",
            file="requirements/srs045_hive_partitioning.md",
            line=592,
            text=RQ_HivePartitioning_Writes_NotDefinedFilename.description,
            content_hash="15333c3af561",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_NotDefinedFilename",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.S3EngineParameters",
            version="1.0",
            specification="SRS-045",
            heading_path=("Engine Parameters",),
            level=3,
            number="10.11",
            file="requirements/srs045_hive_partitioning.md",
            line=601,
            text=RQ_HivePartitioning_Writes_S3EngineParameters.description,
            content_hash="b161cc0b4771",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_S3EngineParameters",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionBy",
            version="1.0",
            specification="SRS-045",
            heading_path=("Partition By Clause",),
            level=3,
            number="11.1",
            file="requirements/srs045_hive_partitioning.md",
            line=608,
            text=RQ_HivePartitioning_Writes_PartitionBy.description,
            content_hash="99e801326c9f",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionBy",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.PartitionKey",
            version="1.0",
            specification="SRS-045",
            heading_path=("Partition By Clause",),
            level=3,
            number="11.2",
            file="requirements/srs045_hive_partitioning.md",
            line=620,
            text=RQ_HivePartitioning_Writes_PartitionKey.description,
            content_hash="60df39e316f3",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_PartitionKey",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.Expressions",
            version="1.0",
            specification="SRS-045",
            heading_path=("Partition By Clause",),
            level=3,
            number="11.3",
            file="requirements/srs045_hive_partitioning.md",
            line=641,
            text=RQ_HivePartitioning_Writes_Expressions.description,
            content_hash="7f1bb638ec85",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_Expressions",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.MissingColumn",
            version="1.0",
            specification="SRS-045",
            heading_path=("Partition By Clause",),
            level=3,
            number="11.4",
            file="requirements/srs045_hive_partitioning.md",
            line=652,
            text=RQ_HivePartitioning_Writes_MissingColumn.description,
            content_hash="d02ec4739e4d",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_MissingColumn",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.DefaultValue",
            version="1.0",
            specification="SRS-045",
            heading_path=("Partition By Clause",),
            level=3,
            number="11.5",
            file="requirements/srs045_hive_partitioning.md",
            line=663,
            text=RQ_HivePartitioning_Writes_DefaultValue.description,
            content_hash="72cf214d3189",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_DefaultValue",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.SupportedDataTypes",
            version="1.0",
            specification="SRS-045",
            heading_path=("Data Types of Partition Keys",),
            level=3,
            number="12.1",
            file="requirements/srs045_hive_partitioning.md",
            line=684,
            text=RQ_HivePartitioning_Writes_SupportedDataTypes.description,
            content_hash="41f44dd51463",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_SupportedDataTypes",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.NullableDataType",
            version="1.0",
            specification="SRS-045",
            heading_path=("Data Types of Partition Keys",),
            level=3,
            number="12.2",
            file="requirements/srs045_hive_partitioning.md",
            line=697,
            text=RQ_HivePartitioning_Writes_NullableDataType.description,
            content_hash="de8557f38ee9",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_NullableDataType",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.DataTypesUnsupported",
            version="1.0",
            specification="SRS-045",
            heading_path=("Data Types of Partition Keys",),
            level=3,
            number="12.3",
            file="requirements/srs045_hive_partitioning.md",
            line=708,
            text=RQ_HivePartitioning_Writes_DataTypesUnsupported.description,
            content_hash="4c6e03876f75",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_DataTypesUnsupported",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.ReadOnlyBucket",
            version="1.0",
            specification="SRS-045",
            heading_path=("Access to the Bucket",),
            level=3,
            number="13.1",
            file="requirements/srs045_hive_partitioning.md",
            line=721,
            text=RQ_HivePartitioning_Writes_ReadOnlyBucket.description,
            content_hash="af210bee64a8",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_ReadOnlyBucket",
        ),
        model.RequirementText(
            name="RQ.HivePartitioning.Writes.NonAccessibleBucket",
            version="1.0",
            specification="SRS-045",
            heading_path=("Access to the Bucket",),
            level=3,
            number="13.2",
            file="requirements/srs045_hive_partitioning.md",
            line=726,
            text=RQ_HivePartitioning_Writes_NonAccessibleBucket.description,
            content_hash="0934c752259f",
            origin="",
            untested_reason="",
            python_name="RQ_HivePartitioning_Writes_NonAccessibleBucket",
        ),
    ),
)

SRS_045 = Specification(
    name="SRS-045 Hive Partitioning",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=tuple(
        Specification.Heading(section.title, section.level, section.number)
        for section in TABLE.sections
    ),
    requirements=(
        RQ_HivePartitioning_Support,
        RQ_HivePartitioning_EnableSetting,
        RQ_HivePartitioning_Generic_Pruning,
        RQ_HivePartitioning_Generic_Performance,
        RQ_HivePartitioning_VirtualColumns,
        RQ_HivePartitioning_VirtualColumns_ReadOnly,
        RQ_HivePartitioning_VirtualColumns_Appearance,
        RQ_HivePartitioning_VirtualColumns_Accessibility,
        RQ_HivePartitioning_VirtualColumns_InvalidPath,
        RQ_HivePartitioning_VirtualColumns_NameConflict,
        RQ_HivePartitioning_VirtualColumns_HiveDisabled,
        RQ_HivePartitioning_VirtualColumns_NonExistingKey,
        RQ_HivePartitioning_HivePartitionValue,
        RQ_HivePartitioning_HivePartitionValue_EmptyValue,
        RQ_HivePartitioning_Wildcards,
        RQ_HivePartitioning_Wildcards_SingleStar,
        RQ_HivePartitioning_Wildcards_DoubleStar,
        RQ_HivePartitioning_Wildcards_QuestionMark,
        RQ_HivePartitioning_Wildcards_List,
        RQ_HivePartitioning_Wildcards_WrongList,
        RQ_HivePartitioning_Wildcards_Range,
        RQ_HivePartitioning_Wildcards_WrongRange,
        RQ_HivePartitioning_Wildcards_Escaping,
        RQ_HivePartitioning_TableFunction_S3,
        RQ_HivePartitioning_TableFunction_S3Cluster,
        RQ_HivePartitioning_TableFunction_HDFS,
        RQ_HivePartitioning_TableEngines_S3,
        RQ_HivePartitioning_TableEngines_HDFS,
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
    ),
)
