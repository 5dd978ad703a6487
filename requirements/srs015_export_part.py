"""SRS-015 ClickHouse EXPORT PART: generated from srs015_export_part.md, do not edit."""

# fmt: off
# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

RQ_ClickHouse_ExportPart_S3 = Requirement("RQ.ClickHouse.ExportPart.S3", "1.0", level=3, num="3.1", description="""\
[ClickHouse] SHALL export data parts of tables with a `MergeTree` engine to S3 object storage: after the success of the export the destination returns the rows of the part.\
""")

RQ_ClickHouse_ExportPart_SQLCommand = Requirement("RQ.ClickHouse.ExportPart.SQLCommand", "1.0", level=3, num="4.1", description="""\
[ClickHouse] SHALL accept the statement below for exporting one part of a `MergeTree` table to a table in object storage.

```text
ALTER TABLE [database.]source EXPORT PART 'part' TO TABLE [database.]destination
```

| placeholder | meaning |
|---|---|
| `source` | the `MergeTree` table that has the part |
| `part` | the name of the part, a string literal |
| `destination` | the table in object storage that receives it |\
""")

RQ_ClickHouse_ExportPart_SourceEngines = Requirement("RQ.ClickHouse.ExportPart.SourceEngines", "1.0", level=3, num="5.1", description="""\
[ClickHouse] SHALL export parts of tables with any engine of the `MergeTree` family:

| engine | what it adds to `MergeTree` |
|---|---|
| `MergeTree` | nothing, it is the base |
| `ReplicatedMergeTree` | replicas, coordinated by ZooKeeper or Keeper |
| `SummingMergeTree` | adds up numeric columns in merges |
| `AggregatingMergeTree` | keeps states of aggregate functions |
| `CollapsingMergeTree` | cancels pairs of rows by a sign |
| `VersionedCollapsingMergeTree` | cancels pairs of rows by a sign and a version |
| `GraphiteMergeTree` | thins out Graphite metrics |
| every other engine derived from `MergeTreeData` | for example `ReplacingMergeTree` |\
""")

RQ_ClickHouse_ExportPart_SourcePartStorage = Requirement("RQ.ClickHouse.ExportPart.SourcePartStorage", "1.0", level=3, num="5.2", description="""\
[ClickHouse] SHALL export a part whatever kind of storage it lies on:

| storage | example |
|---|---|
| local disk | a directory of the file system |
| object storage | S3 or a store compatible with it |
| encrypted disk | a disk of type `encrypted` over another one |
| cached disk | a file system cache in front of another disk |
| remote disk | HDFS, Azure Blob Storage, Google Cloud Storage |
| tiered storage | a policy with a hot and a cold volume |
| zero-copy replication | replicas that share the objects of a part |\
""")

RQ_ClickHouse_ExportPart_DestinationEngines = Requirement("RQ.ClickHouse.ExportPart.DestinationEngines", "1.0", level=3, num="6.1", description="""\
[ClickHouse] SHALL export to every table that can import parts, that is, whose storage answers `supportsImport()` with `true`, and whose engine is one of object storage:

| engine | store |
|---|---|
| `S3` | Amazon S3 and compatible stores |
| any engine built on `StorageObjectStorage` | the store behind it |
| `HDFS` | Hadoop, with Hive partitioning |
| `AzureBlobStorage` | Azure Blob Storage, with Hive partitioning |
| `GCS` | Google Cloud Storage, with Hive partitioning |\
""")

RQ_ClickHouse_ExportPart_DestinationSetup = Requirement("RQ.ClickHouse.ExportPart.DestinationSetup", "1.0", level=3, num="6.2", description="""\
[ClickHouse] SHALL prepare the destination and name its files as follows:

* it opens an import sink of the destination's storage;
* the name of a file is made of the part's name and its checksum in hexadecimal, `{part_name}_{checksum_hex}`, so that different parts never share a name;
* the folder of a file is decided by the destination from its Hive partitioning;
* the files are visible in the store and can be read there by users;
* `system.exports` shows the resulting path.

*Builds:* newer ones append a number and the extension, `{part_name}_{checksum_hex}.1.parquet`, and write a file `commit_{part_name}_{checksum_hex}` beside it; older ones have neither the number nor the commit file.\
""")

RQ_ClickHouse_ExportPart_DataPreparation = Requirement("RQ.ClickHouse.ExportPart.DataPreparation", "1.0", level=3, num="7.1", description="""\
[ClickHouse] SHALL take by itself all physical columns that the metadata of the source lists, and the values of the partition key that the Hive partitioning of the destination needs.\
""")

RQ_ClickHouse_ExportPart_SchemaCompatibility = Requirement("RQ.ClickHouse.ExportPart.SchemaCompatibility", "1.0", level=3, num="7.2", description="""\
[ClickHouse] SHALL export only between tables with compatible schemas, and refuse the statement otherwise. Schemas are compatible when all of the following hold:

* both tables have the same physical columns;
* these have the same names, in the same order;
* the type of each is compatible with that of its counterpart;
* both tables have the same expression as partition key.\
""")

RQ_ClickHouse_ExportPart_PartitionKeyTypes = Requirement("RQ.ClickHouse.ExportPart.PartitionKeyTypes", "1.0", level=3, num="7.3", description="""\
[ClickHouse] SHALL export parts of tables whose partition key suits Hive partitioning, laying the files out by the values of the key taken from the part, and refuse those of tables whose key does not suit it, as the table says. The destination has to support Hive partitioning, so that only keys whose values are integers, dates, times or strings suit.

| partition key | exported | examples |
|---|---|---|
| integer | yes | `UInt8`, `UInt16`, `UInt32`, `UInt64`, `Int8`, `Int16`, `Int32`, `Int64` |
| date or time | yes | `Date`, `DateTime`, `DateTime64` |
| string | yes | `String`, `FixedString` |
| function of a date | yes, if its result is of a type above | `toYYYYMM(d)`, `toMonday(d)`, `toYear(d)` |
| arithmetic | yes, if its result is of a type above | `a + b`, `a * 1000` |
| function of a string | yes, its result is a string | `substring(s, 1, 4)` |
| tuple | yes, if each element is of a type above | `(toMonday(StartDate), EventType)` |
| none | yes | a table without `PARTITION BY` |
| UUID | no | `UUID` |
| enumeration | no | `Enum8`, `Enum16` |
| floating point | no | `Float32`, `Float64` |
| hash function | no | `intHash32(a)`, `cityHash64(a)` |\
""")

RQ_ClickHouse_ExportPart_PartTypes = Requirement("RQ.ClickHouse.ExportPart.PartTypes", "1.0", level=3, num="7.4", description="""\
[ClickHouse] SHALL export every valid kind of part with all it contains, as the three tables of this requirement say, so that the data in the destination is intact: the rows are those a reader of the part sees, without those removed by lightweight deletes.

| kind of part | what it is | exported |
|---|---|---|
| wide | a file and marks for each column | yes |
| compact | one file and one file of marks for all columns | yes |
| regular | made by an insert, a merge or a mutation | yes, in full |
| patch | made by a lightweight update, has only the changed columns | yes, applied to the rows during the export |
| active | in use by the table | yes, this is the usual case |
| outdated | superseded by a newer part, not removed yet | yes, for backups |

| column or metadata | what it is | in the export |
|---|---|---|
| physical columns | the columns of the table | all of them are written |
| `_row_exists` | mask of lightweight deletes | its state is kept by applying it: removed rows are not written |
| `_block_number` | block in which the row was inserted | taken along to identify the row |
| `_block_offset` | position of the row in that block | taken along to identify the row |
| `_part_data_version` | version of the data with respect to mutations | taken along to tell versions apart |
| virtual columns | such as `_part` and `_partition_id` | made during the export |
| system metadata | checksums, compression, serialization | preserved |

| mutation or change of schema | what it is | in the export |
|---|---|---|
| mutation commands | `DELETE`, `UPDATE`, `MATERIALIZE INDEX`, `DROP COLUMN`, `RENAME COLUMN` | applied |
| conversions by `ALTER` | renamed columns, changed types, other changes of the schema | applied |
| patch parts | lightweight updates of some columns | applied |
| versions of mutations | which mutations the part has seen | preserved |
| changes of the schema | `ALTER` with `MODIFY`, `DROP` or `RENAME` | applied |
| TTL | settings and expiry times | preserved |
| indices | primary key, secondary indices, projections | preserved |
| statistics | statistics of columns, sampling | preserved |

*Builds:* an outdated part is refused with `NO_SUCH_DATA_PART` (232). With pending patches or pending mutations the statement is refused as well unless `export_merge_tree_part_throw_on_pending_patch_parts` or `export_merge_tree_part_throw_on_pending_mutations` is set to `0`.\
""")

RQ_ClickHouse_ExportPart_ColumnTypes = Requirement("RQ.ClickHouse.ExportPart.ColumnTypes", "1.0", level=3, num="7.5", group="ours", description="""\
[ClickHouse] SHALL export every type of column that Parquet can hold, so that a destination whose column is declared with the source's type returns equal values, and refuse a part with a column of any other type before it writes anything:

* the smallest and the largest value, `NULL`, not-a-number, negative zero and empty values are kept;
* for readers that take the types from the file, it is documented which types they read exactly, which as another value, and which not at all;
* `BFloat16`, `Time`, `Time64`, `Dynamic`, `Variant`, `Interval` and states of aggregate functions are refused.\
""")

RQ_ClickHouse_ExportPart_SeveralFiles = Requirement("RQ.ClickHouse.ExportPart.SeveralFiles", "1.0", level=3, num="7.6", group="ours", description="""\
[ClickHouse] SHALL export a part as several files if a file may have fewer rows or bytes than the part, so that a reader finds every row once and nothing of the part before the export is decided:

* no file has more rows than allowed, and none more bytes;
* one commit file names all files, and it is written before the first of them appears;
* an export that is killed between the commit file and the last file is completed by the next one;
* repeating the export adds no file, and overwriting replaces all files.\
""")

RQ_ClickHouse_ExportPart_LakeKey = Requirement("RQ.ClickHouse.ExportPart.LakeKey", "1.0", level=3, num="7.7", group="ours", description="""\
[ClickHouse] SHALL export parts into folders of another key than the table's partition key if the user names that key:

* a part whose rows have one value of the key goes into the folder of that value;
* a part whose rows have several values is refused before anything is written.\
""")

RQ_ClickHouse_ExportPart_Iceberg = Requirement("RQ.ClickHouse.ExportPart.Iceberg", "1.0", level=3, num="7.8", group="ours", description="""\
[ClickHouse] SHALL add the files of an export to a table of Apache Iceberg without copying them:

* one snapshot adds all parts of the export;
* repeating the registration adds no row twice;
* a part that replaces exported ones takes their place in one snapshot;
* a second place of the same table is refused under the same name.\
""")

RQ_ClickHouse_ExportPart_FailureHandling = Requirement("RQ.ClickHouse.ExportPart.FailureHandling", "1.0", level=3, num="8.1", description="""\
[ClickHouse] SHALL treat the failure of an export as follows:

* an export keeps no state beyond its own life;
* it is not repeated by the server: a failed export has failed for good;
* a restart of the server forgets all manifests and exports;
* an export either succeeds as a whole or ends with an error message;
* a failed export leaves no incomplete or damaged data in the destination.\
""")

RQ_ClickHouse_ExportPart_PartCorruption = Requirement("RQ.ClickHouse.ExportPart.PartCorruption", "1.0", level=3, num="8.2", group="ours", description="""\
[ClickHouse] SHALL fail the export of a damaged part with the reason that reading it gives, and leave nothing of it, while sound parts of the same table are exported.\
""")

RQ_ClickHouse_ExportPart_QueryCancellation = Requirement("RQ.ClickHouse.ExportPart.QueryCancellation", "1.0", level=3, num="8.3", group="ours", description="""\
[ClickHouse] SHALL end an export whose reading statement is cancelled by `KILL QUERY` with that reason and leave nothing of it; the next export of the part has every row once.\
""")

RQ_ClickHouse_ExportPart_NetworkResilience = Requirement("RQ.ClickHouse.ExportPart.NetworkResilience", "1.0", level=3, num="8.4", group="ours", description="""\
[ClickHouse] SHALL export every row once, or fail with the reason and leave nothing, whatever the connections to the server and to the store do:

* a request that the store refuses or resets for a moment is repeated;
* an answer of the store that is lost leads to no second file;
* a server that is restarted while it sends rows;
* a store that is killed, and starts again.\
""")

RQ_ClickHouse_ExportPart_ChangesOfTheSource = Requirement("RQ.ClickHouse.ExportPart.ChangesOfTheSource", "1.0", level=3, num="8.5", group="ours", description="""\
[ClickHouse] SHALL isolate an export from changes of its source:

* an ALTER before the export: the rows are those of the table at the beginning of the export;
* an ALTER during the export: it fails with its reason and leaves nothing, or has the rows of its beginning;
* an ALTER after the export changes nothing that was exported;
* a merge of another part during the export disturbs nothing.\
""")

RQ_ClickHouse_ExportPart_Restrictions_SameTable = Requirement("RQ.ClickHouse.ExportPart.Restrictions.SameTable", "1.0", level=4, num="8.6.1", description="""\
[ClickHouse] SHALL refuse to export a part to the table it belongs to: before any other work on the export it compares the identifiers of source and destination and, if they are equal, raises `BAD_ARGUMENTS` with the message `Exporting to the same table is not allowed`.\
""")

RQ_ClickHouse_ExportPart_Restrictions_DestinationSupport = Requirement("RQ.ClickHouse.ExportPart.Restrictions.DestinationSupport", "1.0", level=4, num="8.6.2", description="""\
[ClickHouse] SHALL refuse, while the export is being set up, a destination whose storage cannot import `MergeTree` parts or whose partitioning is not Hive's (`partition_strategy = 'hive'`), raising `NOT_IMPLEMENTED` with the message `Destination storage {} does not support MergeTree parts or uses unsupported partitioning`, where `{}` is the name of the storage.\
""")

RQ_ClickHouse_ExportPart_Restrictions_SourcePart = Requirement("RQ.ClickHouse.ExportPart.Restrictions.SourcePart", "1.0", level=4, num="8.6.3", description="""\
[ClickHouse] SHALL refuse, before it makes a manifest, a part that the source does not have in its working set, because it is detached or missing, raising `NO_SUCH_DATA_PART` with the message `No such data part '{}' to export in table '{}'`, where the first `{}` is the part and the second the table.\
""")

RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure = Requirement("RQ.ClickHouse.ExportPart.ErrorRecovery.GracefulFailure", "1.0", level=4, num="8.7.1", description="""\
[ClickHouse] SHALL survive the failure of an export unharmed:

* the user may issue the statement again;
* the server keeps working;
* the data of the source is unchanged;
* other exports go on.\
""")

RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup = Requirement("RQ.ClickHouse.ExportPart.ErrorRecovery.AutomaticCleanup", "1.0", level=4, num="8.7.2", description="""\
[ClickHouse] SHALL clear away a failed export by itself:

* its manifest is removed;
* data already written to the destination is removed;
* memory and file handles are released;
* its status says that it has failed;
* other exports can be accepted and run.\
""")

RQ_ClickHouse_ExportPart_Concurrency = Requirement("RQ.ClickHouse.ExportPart.Concurrency", "1.0", level=3, num="9.1", description="""\
[ClickHouse] SHALL run several exports at a time without one disturbing another:

* exports run in the background, the statement does not wait for them;
* different parts may be exported to different destinations at the same time;
* the same part is not exported twice to the same destination at the same time;
* each export has its own progress and state;
* no race damages data or the server, however the exports interleave.\
""")

RQ_ClickHouse_ExportPart_SeveralServers = Requirement("RQ.ClickHouse.ExportPart.SeveralServers", "1.0", level=3, num="9.2", group="ours", description="""\
[ClickHouse] SHALL let several servers export tables of the same name to the same place, so that a reader finds every row of every server once:

* parts of equal names, and parts of equal rows, of different servers are separate files;
* overwriting replaces files of the same table on the same server only;
* replicas of one table export each part once.\
""")

RQ_ClickHouse_ExportPart_Idempotency = Requirement("RQ.ClickHouse.ExportPart.Idempotency", "1.0", level=3, num="9.3", description="""\
[ClickHouse] SHALL make it safe to export the same part again:

* repeating an export damages no data;
* `export_merge_tree_part_overwrite_file_if_exists` decides whether an existing file gives way to the new one;
* file names, made of the part's name and checksum, are unique to the part;
* what is known about an export stays consistent when a user repeats it.\
""")

RQ_ClickHouse_ExportPart_FilePolicy = Requirement("RQ.ClickHouse.ExportPart.FilePolicy", "1.0", level=3, num="9.4", group="ours", description="""\
[ClickHouse] SHALL let a user say what becomes of files that are there already, and never remove rows that the part at hand is not proved to have:

* by default a part that was exported is skipped, `error` fails, `overwrite` replaces its files;
* a merged part replaces the files of its sources only with `overwrite`;
* files of other tables are neither taken nor removed, whatever the names of their tables and parts are;
* block numbers that are given again prove nothing.\
""")

RQ_ClickHouse_ExportPart_Verification = Requirement("RQ.ClickHouse.ExportPart.Verification", "1.0", level=3, num="10.1", group="ours", description="""\
[ClickHouse] SHALL verify exported files when a user asks for it:

* their bytes and rows are compared with what the commit file says;
* their rows are compared with those of the part by another engine;
* statements that detach parts whose files are as committed are printed, none is executed.\
""")

RQ_ClickHouse_ExportPart_Logging = Requirement("RQ.ClickHouse.ExportPart.Logging", "1.0", level=3, num="10.2", description="""\
[ClickHouse] SHALL log each export, successful or failed, in enough detail to follow it and to find its faults: when it happened, which part went where, how long it took and how far it came. For each of them `system.part_log` has a row with these columns:

| column | content |
|---|---|
| `event_type` | `EXPORT_PART` |
| `event_time` | when the export took place |
| `table` | the source |
| `part_name` | the part |
| `path_on_disk` | where the part lies in the storage of the source |
| `duration_ms` | how long the export took, in milliseconds |
| `error` | what went wrong; empty after a success |
| `thread_id` | the thread that executed it |

*Builds:* the value of `event_type` is `ExportPart`. In the upstream table, on which these builds rest, `error` is a numeric code with the text in `exception`, and there is no `thread_id`.\
""")

RQ_ClickHouse_ExportPart_SystemTables_Exports = Requirement("RQ.ClickHouse.ExportPart.SystemTables.Exports", "1.0", level=3, num="10.3", description="""\
[ClickHouse] SHALL have a table `system.exports` in which users follow running and finished exports, with their progress, cost and faults, through these columns:

| column | content |
|---|---|
| `source_database`, `source_table` | the source |
| `destination_database`, `destination_table` | the destination |
| `create_time` | when the statement was accepted |
| `part_name` | the part |
| `destination_file_path` | the path in the store |
| `elapsed` | seconds since the start |
| `rows_read`, `total_rows_to_read` | rows done, rows to do |
| `total_size_bytes_compressed`, `total_size_bytes_uncompressed` | size of the part |
| `bytes_read_uncompressed` | bytes done |
| `memory_usage`, `peak_memory_usage` | memory now and at most |

*Builds:* the table shows running exports only; the path column is `destination_file_paths`, a list; there is also `query_id`.\
""")

RQ_ClickHouse_ExportPart_Events = Requirement("RQ.ClickHouse.ExportPart.Events", "1.0", level=3, num="10.4", description="""\
[ClickHouse] SHALL count exports in `system.events`:

| event | what it counts |
|---|---|
| `PartsExports` | parts exported with success |
| `PartsExportFailures` | parts whose export failed |
| `PartsExportDuplicated` | parts whose export failed since the target was there already |
| `PartsExportTotalMilliseconds` | milliseconds spent on exports |
| `ExportsThrottlerBytes` | bytes that went through the throttler of exports |
| `ExportsThrottlerSleepMicroseconds` | microseconds spent asleep to keep to the bandwidth |

*Builds:* those with the policy `skip` count a file that is there already as `PartsExportDuplicated` and `PartsExports`; with `error` as `PartsExportDuplicated` and `PartsExportFailures`; with `overwrite` it does not count as duplicated.\
""")

RQ_ClickHouse_ExportPart_Metrics_Export = Requirement("RQ.ClickHouse.ExportPart.Metrics.Export", "1.0", level=3, num="10.5", description="""\
[ClickHouse] SHALL show in `system.metrics`, as the metric `Export`, how many exports are being executed at the moment.\
""")

RQ_ClickHouse_ExportPart_Settings_AllowExperimental = Requirement("RQ.ClickHouse.ExportPart.Settings.AllowExperimental", "1.0", level=3, num="11.1", description="""\
[ClickHouse] SHALL execute `ALTER TABLE … EXPORT PART …` only where the setting `allow_experimental_export_merge_tree_part` is `1`; its default is `0`, with which the feature is off.\
""")

RQ_ClickHouse_ExportPart_Settings_OverwriteFile = Requirement("RQ.ClickHouse.ExportPart.Settings.OverwriteFile", "1.0", level=3, num="11.2", description="""\
[ClickHouse] SHALL let the setting `export_merge_tree_part_overwrite_file_if_exists` decide whether an export overwrites a file that already exists; its default is `0`, with which it does not.

*Builds:* newer ones have `export_merge_tree_part_file_already_exists_policy` in its place, with the values `skip` (the default), `error` and `overwrite`.\
""")

RQ_ClickHouse_ExportPart_ParallelFormatting = Requirement("RQ.ClickHouse.ExportPart.ParallelFormatting", "1.0", level=3, num="11.3", description="""\
[ClickHouse] SHALL format the data of an export in parallel where it pays:

* large exports use parallel formatting without being told to;
* `output_format_parallel_formatting` switches it on and off;
* the effort follows the size of the export and the resources of the server;
* formatting performs evenly from one export to the next.\
""")

RQ_ClickHouse_ExportPart_ServerSettings_MaxBandwidth = Requirement("RQ.ClickHouse.ExportPart.ServerSettings.MaxBandwidth", "1.0", level=3, num="11.4", description="""\
[ClickHouse] SHALL limit the speed at which all exports of a server together read, in bytes per second, to `max_exports_bandwidth_for_server`, a setting of the server's configuration file; its default is `0`, which means no limit.\
""")

RQ_ClickHouse_ExportPart_Security = Requirement("RQ.ClickHouse.ExportPart.Security", "1.0", level=3, num="12.1", description="""\
[ClickHouse] SHALL protect exports by privileges, encryption and care for credentials:

| subject | rule |
|---|---|
| source | the user needs `SELECT` on it |
| destination | the user needs `INSERT` on it |
| databases | the user needs `SHOW` on those of the source and of the destination |
| system tables | the user needs `SELECT` on `system.tables`, so that the existence of the tables can be checked |
| data on the way | encrypted by TLS |
| connection to the store | a secure protocol, HTTPS with S3 |
| credentials | kept in a secure place and absent from logs |

*Builds:* the privilege demanded on the source is `ALTER`, not `SELECT`.\
""")

SRS_015 = Specification(
    name="SRS-015 ClickHouse EXPORT PART",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=(
        Specification.Heading("Introduction", 2, "1"),
        Specification.Heading("Definitions", 2, "2"),
        Specification.Heading("Export to S3", 2, "3"),
        Specification.Heading("RQ.ClickHouse.ExportPart.S3", 3, "3.1"),
        Specification.Heading("Statement", 2, "4"),
        Specification.Heading("RQ.ClickHouse.ExportPart.SQLCommand", 3, "4.1"),
        Specification.Heading("Source", 2, "5"),
        Specification.Heading("RQ.ClickHouse.ExportPart.SourceEngines", 3, "5.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.SourcePartStorage", 3, "5.2"),
        Specification.Heading("Destination", 2, "6"),
        Specification.Heading("RQ.ClickHouse.ExportPart.DestinationEngines", 3, "6.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.DestinationSetup", 3, "6.2"),
        Specification.Heading("Data", 2, "7"),
        Specification.Heading("RQ.ClickHouse.ExportPart.DataPreparation", 3, "7.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.SchemaCompatibility", 3, "7.2"),
        Specification.Heading("RQ.ClickHouse.ExportPart.PartitionKeyTypes", 3, "7.3"),
        Specification.Heading("RQ.ClickHouse.ExportPart.PartTypes", 3, "7.4"),
        Specification.Heading("RQ.ClickHouse.ExportPart.ColumnTypes", 3, "7.5"),
        Specification.Heading("RQ.ClickHouse.ExportPart.SeveralFiles", 3, "7.6"),
        Specification.Heading("RQ.ClickHouse.ExportPart.LakeKey", 3, "7.7"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Iceberg", 3, "7.8"),
        Specification.Heading("Failure", 2, "8"),
        Specification.Heading("RQ.ClickHouse.ExportPart.FailureHandling", 3, "8.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.PartCorruption", 3, "8.2"),
        Specification.Heading("RQ.ClickHouse.ExportPart.QueryCancellation", 3, "8.3"),
        Specification.Heading("RQ.ClickHouse.ExportPart.NetworkResilience", 3, "8.4"),
        Specification.Heading("RQ.ClickHouse.ExportPart.ChangesOfTheSource", 3, "8.5"),
        Specification.Heading("Refusals", 3, "8.6"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Restrictions.SameTable", 4, "8.6.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Restrictions.DestinationSupport", 4, "8.6.2"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Restrictions.SourcePart", 4, "8.6.3"),
        Specification.Heading("Recovery", 3, "8.7"),
        Specification.Heading("RQ.ClickHouse.ExportPart.ErrorRecovery.GracefulFailure", 4, "8.7.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.ErrorRecovery.AutomaticCleanup", 4, "8.7.2"),
        Specification.Heading("Several Exports", 2, "9"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Concurrency", 3, "9.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.SeveralServers", 3, "9.2"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Idempotency", 3, "9.3"),
        Specification.Heading("RQ.ClickHouse.ExportPart.FilePolicy", 3, "9.4"),
        Specification.Heading("Observation", 2, "10"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Verification", 3, "10.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Logging", 3, "10.2"),
        Specification.Heading("RQ.ClickHouse.ExportPart.SystemTables.Exports", 3, "10.3"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Events", 3, "10.4"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Metrics.Export", 3, "10.5"),
        Specification.Heading("Settings", 2, "11"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Settings.AllowExperimental", 3, "11.1"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Settings.OverwriteFile", 3, "11.2"),
        Specification.Heading("RQ.ClickHouse.ExportPart.ParallelFormatting", 3, "11.3"),
        Specification.Heading("RQ.ClickHouse.ExportPart.ServerSettings.MaxBandwidth", 3, "11.4"),
        Specification.Heading("Security", 2, "12"),
        Specification.Heading("RQ.ClickHouse.ExportPart.Security", 3, "12.1"),
        Specification.Heading("Changes from the Source", 2, "13"),
    ),
    requirements=(
        RQ_ClickHouse_ExportPart_S3,
        RQ_ClickHouse_ExportPart_SQLCommand,
        RQ_ClickHouse_ExportPart_SourceEngines,
        RQ_ClickHouse_ExportPart_SourcePartStorage,
        RQ_ClickHouse_ExportPart_DestinationEngines,
        RQ_ClickHouse_ExportPart_DestinationSetup,
        RQ_ClickHouse_ExportPart_DataPreparation,
        RQ_ClickHouse_ExportPart_SchemaCompatibility,
        RQ_ClickHouse_ExportPart_PartitionKeyTypes,
        RQ_ClickHouse_ExportPart_PartTypes,
        RQ_ClickHouse_ExportPart_ColumnTypes,
        RQ_ClickHouse_ExportPart_SeveralFiles,
        RQ_ClickHouse_ExportPart_LakeKey,
        RQ_ClickHouse_ExportPart_Iceberg,
        RQ_ClickHouse_ExportPart_FailureHandling,
        RQ_ClickHouse_ExportPart_PartCorruption,
        RQ_ClickHouse_ExportPart_QueryCancellation,
        RQ_ClickHouse_ExportPart_NetworkResilience,
        RQ_ClickHouse_ExportPart_ChangesOfTheSource,
        RQ_ClickHouse_ExportPart_Restrictions_SameTable,
        RQ_ClickHouse_ExportPart_Restrictions_DestinationSupport,
        RQ_ClickHouse_ExportPart_Restrictions_SourcePart,
        RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure,
        RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup,
        RQ_ClickHouse_ExportPart_Concurrency,
        RQ_ClickHouse_ExportPart_SeveralServers,
        RQ_ClickHouse_ExportPart_Idempotency,
        RQ_ClickHouse_ExportPart_FilePolicy,
        RQ_ClickHouse_ExportPart_Verification,
        RQ_ClickHouse_ExportPart_Logging,
        RQ_ClickHouse_ExportPart_SystemTables_Exports,
        RQ_ClickHouse_ExportPart_Events,
        RQ_ClickHouse_ExportPart_Metrics_Export,
        RQ_ClickHouse_ExportPart_Settings_AllowExperimental,
        RQ_ClickHouse_ExportPart_Settings_OverwriteFile,
        RQ_ClickHouse_ExportPart_ParallelFormatting,
        RQ_ClickHouse_ExportPart_ServerSettings_MaxBandwidth,
        RQ_ClickHouse_ExportPart_Security,
    ),
)
