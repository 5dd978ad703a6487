"""SRS-101 ClickHouse ReplacingMergeTree: generated from srs101_replacing_merge_tree.md, do not edit."""

# fmt: off
# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

RQ_SRS_101_ClickHouse_ReplacingMergeTree = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree", "1.0", level=3, num="2.1", group="ours", description="""\
[ClickHouse] SHALL create a table with the engine `ReplacingMergeTree` given no parameter, a version column, or a version column followed by a deletion column.

```sql
CREATE TABLE plain (key UInt64, value String)
ENGINE = ReplacingMergeTree ORDER BY key;

CREATE TABLE versioned (key UInt64, value String, version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY key;

CREATE TABLE deletable (key UInt64, value String, version UInt64, deleted UInt8)
ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key;
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.Clauses", "1.0", level=3, num="2.2", group="ours", description="""\
[ClickHouse] SHALL accept the clauses `PARTITION BY`, `ORDER BY`, `PRIMARY KEY`, `SAMPLE BY` and `SETTINGS` for a ReplacingMergeTree table with the meaning they have for a MergeTree table.

```sql
CREATE TABLE visits (id UInt64, page String)
ENGINE = ReplacingMergeTree
PARTITION BY id % 2
PRIMARY KEY (id, intHash32(id))
ORDER BY (id, intHash32(id), page)
SAMPLE BY intHash32(id)
SETTINGS index_granularity = 1024;
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingSortingKey", "2.0", level=3, num="2.3", group="ours", description="""\
[ClickHouse] SHALL create a ReplacingMergeTree table without engine parameters, `ORDER BY` and `PRIMARY KEY` exactly if it creates a MergeTree table without them, and refuse with `NUMBER_OF_ARGUMENTS_DOESNT_MATCH` (42) one that has engine parameters and no sorting key.

With `create_table_empty_primary_key_by_default` enabled, which is its default, the sorting key of a table without parameters is `tuple()`: all its rows are duplicates. With the setting switched off both engines are refused with `BAD_ARGUMENTS` (36).\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.TooManyParameters", "1.0", level=3, num="2.4", group="ours", description="""\
[ClickHouse] SHALL refuse with `NUMBER_OF_ARGUMENTS_DOESNT_MATCH` (42) to create a ReplacingMergeTree table with more than two engine parameters and an `ORDER BY` clause.

```sql
CREATE TABLE three_parameters (key UInt64, version UInt64, deleted UInt8)
ENGINE = ReplacingMergeTree(version, deleted, key) ORDER BY key; -- error 42
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingColumn", "1.0", level=3, num="2.5", group="ours", description="""\
[ClickHouse] SHALL refuse with `NO_SUCH_COLUMN_IN_TABLE` (16) an engine parameter that names no stored column of the table.

A column that is missing and an `ALIAS` column, which is computed and not stored, are refused alike.

```sql
CREATE TABLE alias_version (key UInt64, version UInt64 ALIAS key)
ENGINE = ReplacingMergeTree(version) ORDER BY key; -- error 16
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_IfNotExists = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.IfNotExists", "1.0", level=3, num="2.6", group="ours", description="""\
[ClickHouse] SHALL leave an existing table with its rows as it is on `CREATE TABLE IF NOT EXISTS ... ENGINE = ReplacingMergeTree`, and create the table where the name is not taken.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OrReplace = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.OrReplace", "1.0", level=3, num="2.7", group="ours", description="""\
[ClickHouse] SHALL put an empty table with the new definition in the place of an existing one on `CREATE OR REPLACE TABLE ... ENGINE = ReplacingMergeTree`, and create the table where the name is not taken.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OnCluster = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.OnCluster", "1.0", level=3, num="2.8", group="ours", description="""\
[ClickHouse] SHALL create the table on every node of the cluster on `CREATE TABLE ... ON CLUSTER ... ENGINE = ReplacingMergeTree`.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_ColumnExpressions = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.ColumnExpressions", "1.0", level=3, num="2.9", group="ours", description="""\
[ClickHouse] SHALL compare the computed values of a version or deletion column that is declared with `DEFAULT` or `MATERIALIZED`, and return the computed columns of the surviving row as they follow from its own values.

```sql
CREATE TABLE computed_version (key UInt64, value String, version UInt64 MATERIALIZED length(value))
ENGINE = ReplacingMergeTree(version) ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO computed_version VALUES (1, 'longest');
INSERT INTO computed_version VALUES (1, 'short');

SELECT value FROM computed_version FINAL; -- 'longest'
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Projections = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.Projections", "1.0", level=3, num="2.10", group="ours", description="""\
[ClickHouse] SHALL refuse with `SUPPORT_IS_DISABLED` (344) a projection of a ReplacingMergeTree table unless the table's setting `deduplicate_merge_projection_mode` says what becomes of projections in merges: with `drop` a merged part has none, with `rebuild` it has one of the rows that the merge left.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax", "1.0", level=3, num="2.11", group="ours", description="""\
[ClickHouse] SHALL deduplicate a table created by the deprecated form `ReplacingMergeTree(date, [sampling,] (key), granularity[, version])` by the rules of this specification when `allow_deprecated_syntax_for_merge_tree` is enabled.

```sql
SET allow_deprecated_syntax_for_merge_tree = 1;

CREATE TABLE old_style (day Date, key UInt64, value String, version UInt8)
ENGINE = ReplacingMergeTree(day, (key), 8192, version);
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax.Disallowed", "1.0", level=3, num="2.12", group="ours", description="""\
[ClickHouse] SHALL refuse the deprecated form of the engine with `BAD_ARGUMENTS` (36) unless `allow_deprecated_syntax_for_merge_tree` is enabled.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.SortingKey", "1.0", level=3, num="3.1", group="ours", description="""\
[ClickHouse] SHALL treat two rows of a ReplacingMergeTree table as duplicates exactly if all expressions of the `ORDER BY` clause have equal values in both, whatever the other columns hold.

The values of the expressions count, not those of the columns they are computed from: with `ORDER BY intDiv(key, 10)` the rows with `key` 11 and 12 are duplicates, those with 12 and 22 are not.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.PrimaryKey", "1.0", level=3, num="3.2", group="ours", description="""\
[ClickHouse] SHALL keep rows that agree in the primary key and differ in the rest of the sorting key.

```sql
CREATE TABLE prices (shop UInt64, product UInt64, price UInt64)
ENGINE = ReplacingMergeTree PRIMARY KEY shop ORDER BY (shop, product)
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO prices VALUES (1, 1, 10);
INSERT INTO prices VALUES (1, 2, 20);
INSERT INTO prices VALUES (1, 2, 25);

SELECT * FROM prices FINAL ORDER BY product; -- (1, 1, 10), (1, 2, 25)
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastInsert", "1.0", level=3, num="4.1", group="ours", description="""\
[ClickHouse] SHALL keep, of duplicates in one partition of a table without a version column, the row of the most recent insert.

```sql
CREATE TABLE statuses (key UInt64, status String)
ENGINE = ReplacingMergeTree ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO statuses VALUES (1, 'ordered');
INSERT INTO statuses VALUES (1, 'delivered');

SELECT * FROM statuses FINAL; -- (1, 'delivered')
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastRowOfInsert", "1.0", level=3, num="4.2", group="ours", description="""\
[ClickHouse] SHALL keep, of duplicates that arrive in one insert into a table without a version column, the one that comes last in that insert.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.WholeRow", "1.0", level=3, num="4.3", group="ours", description="""\
[ClickHouse] SHALL keep the surviving row with the values of all its columns as they were inserted, never a mixture of several duplicates.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.AttachedPart", "1.0", level=3, num="4.4", group="ours", description="""\
[ClickHouse] SHALL rank the rows of a part attached by `ALTER TABLE ... ATTACH PART` as the most recent insert of a table without a version column.

Attaching creates the newest part of the table, however old its rows are: a part that is detached and attached again wins over what was inserted in between.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Maximum", "1.0", level=3, num="4.5", group="ours", description="""\
[ClickHouse] SHALL keep, of duplicates in a table with a version column, the row with the greatest version, whatever the order in which the rows were inserted.

```sql
CREATE TABLE documents (key UInt64, body String, edited DateTime)
ENGINE = ReplacingMergeTree(edited) ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO documents VALUES (1, 'newer', '2024-05-02 10:00:00');
INSERT INTO documents VALUES (1, 'older', '2024-05-01 10:00:00');

SELECT body FROM documents FINAL; -- 'newer'
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Equal", "1.0", level=3, num="4.6", group="ours", description="""\
[ClickHouse] SHALL keep, of duplicates in one partition that share the greatest version, the one inserted last.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Types", "1.0", level=3, num="4.7", group="ours", description="""\
[ClickHouse] SHALL accept as a version column a column of the types `UInt8`, `UInt16`, `UInt32`, `UInt64`, `UInt128`, `UInt256`, `Date`, `DateTime` and `DateTime64`.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.UnsupportedType", "1.0", level=3, num="4.8", group="ours", description="""\
[ClickHouse] SHALL refuse with `BAD_TYPE_OF_FIELD` (169) a version column of a type that is neither a number nor a date or time, such as `String`, `FixedString`, `UUID`, `Array`, an enumeration or a `Nullable` type.

```sql
CREATE TABLE text_version (key UInt64, version String)
ENGINE = ReplacingMergeTree(version) ORDER BY key; -- error 169
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Alter = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Alter", "1.0", level=3, num="4.9", group="ours", description="""\
[ClickHouse] SHALL refuse with `ALTER_OF_COLUMN_IS_FORBIDDEN` (524) to drop, clear or rename the version or the deletion column, to make it an `ALIAS`, or to give it a type by which rows could be ordered otherwise or not at all; a wider unsigned type of the version is accepted and the same rows survive.

```sql
CREATE TABLE widened (key UInt64, version UInt32)
ENGINE = ReplacingMergeTree(version) ORDER BY key;

ALTER TABLE widened MODIFY COLUMN version UInt64;
ALTER TABLE widened MODIFY COLUMN version UInt16; -- error 524
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Update = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Update", "1.0", level=3, num="4.10", group="ours", description="""\
[ClickHouse] SHALL refuse with `CANNOT_UPDATE_COLUMN` (420) an `ALTER TABLE ... UPDATE` of the version column.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Final", "1.0", level=3, num="5.1", group="ours", description="""\
[ClickHouse] SHALL return no row from `SELECT ... FINAL` for a key whose surviving row is a deletion row.

```sql
CREATE TABLE accounts (key UInt64, owner String, version UInt64, deleted UInt8)
ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO accounts VALUES (1, 'Ada', 1, 0), (2, 'Max', 1, 0);
INSERT INTO accounts VALUES (1, 'Ada', 2, 1);

SELECT owner FROM accounts FINAL; -- 'Max'
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Merge", "1.0", level=3, num="5.2", group="ours", description="""\
[ClickHouse] SHALL keep the surviving deletion row of a key in the table through every merge that is not a cleanup.

As long as the deletion row is stored, it goes on hiding rows with a smaller version that arrive late.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Outdated = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Outdated", "1.0", level=3, num="5.3", group="ours", description="""\
[ClickHouse] SHALL ignore a deletion row whose version is smaller than that of a state row with the same key.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Reinsert = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Reinsert", "1.0", level=3, num="5.4", group="ours", description="""\
[ClickHouse] SHALL return a key from `SELECT ... FINAL` again after a state row with a greater version than its deletion row has been inserted.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.SameAsVersion", "1.0", level=3, num="5.5", group="ours", description="""\
[ClickHouse] SHALL refuse with `BAD_ARGUMENTS` (36) one column that is named both as version column and as deletion column.

The deletion column is the second parameter, so it cannot be given without a version column either.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Type", "1.0", level=3, num="5.6", group="ours", description="""\
[ClickHouse] SHALL refuse with `BAD_TYPE_OF_FIELD` (169) a deletion column of a type whose values are not stored as `UInt8`.

```sql
CREATE TABLE signed_deletion (key UInt64, version UInt64, deleted Int8)
ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key; -- error 169
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.WrongValue", "1.0", level=3, num="5.7", group="ours", description="""\
[ClickHouse] SHALL fail with `INCORRECT_DATA` (117) any deduplication that meets a value other than `0` and `1` in the deletion column.

With `optimize_on_insert = 1` the insert itself deduplicates and is therefore the statement that fails; with `0` it is the first merge or `FINAL` query.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup", "1.0", level=3, num="6.1", group="ours", description="""\
[ClickHouse] SHALL remove on `OPTIMIZE TABLE ... FINAL CLEANUP` every row of each key whose surviving row is a deletion row, and leave the surviving state rows of all other keys.

```sql
CREATE TABLE sessions (key UInt64, version UInt64, deleted UInt8)
ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key
SETTINGS allow_experimental_replacing_merge_with_cleanup = 1,
    max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO sessions VALUES (1, 1, 0), (2, 1, 0);
INSERT INTO sessions VALUES (1, 2, 1);

OPTIMIZE TABLE sessions FINAL CLEANUP;

SELECT * FROM sessions; -- (2, 1, 0)
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.ForgetsVersion", "1.0", level=3, num="6.2", group="ours", description="""\
[ClickHouse] SHALL show a state row inserted after a cleanup even if its version is smaller than that of the deletion row the cleanup removed.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.NotAllowed", "1.0", level=3, num="6.3", group="ours", description="""\
[ClickHouse] SHALL refuse `OPTIMIZE TABLE ... FINAL CLEANUP` with `SUPPORT_IS_DISABLED` (344) and change no row unless the table's setting `allow_experimental_replacing_merge_with_cleanup` is enabled.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_Background = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.Background", "1.0", level=3, num="6.4", group="ours", description="""\
[ClickHouse] SHALL remove deletion rows in a background merge of a whole partition if the settings `allow_experimental_replacing_merge_with_cleanup`, `enable_replacing_merge_with_cleanup_for_min_age_to_force_merge`, `min_age_to_force_merge_on_partition_only` and `min_age_to_force_merge_seconds` are set, and keep them if one of the first three is not.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge", "1.0", level=3, num="7.1", group="ours", description="""\
[ClickHouse] SHALL leave exactly one row for each key in the part that a merge produces.

A merge sees only the parts that take part in it; duplicates in other parts of the table stay.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.Eventual", "1.0", level=3, num="7.2", group="ours", description="""\
[ClickHouse] SHALL return from a query without `FINAL` all duplicates that lie in different parts, until a merge has combined those parts.

When background merges happen is the server's own decision: a reader can rely neither on duplicates being there nor on their being gone.

```sql
CREATE TABLE numbers_twice (number UInt16)
ENGINE = ReplacingMergeTree ORDER BY number
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO numbers_twice SELECT number FROM numbers(100);
INSERT INTO numbers_twice SELECT number FROM numbers(100);

SELECT count() FROM numbers_twice;       -- 200
SELECT count() FROM numbers_twice FINAL; -- 100
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.OptimizeFinal", "1.0", level=3, num="7.3", group="ours", description="""\
[ClickHouse] SHALL leave one row for each key in every partition after `OPTIMIZE TABLE ... FINAL`, also where a partition consists of a single part.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeRewrites = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.OptimizeRewrites", "1.0", level=3, num="7.4", group="ours", description="""\
[ClickHouse] SHALL read and write all rows of a table on `OPTIMIZE TABLE ... FINAL`, also where there is nothing to replace.

It costs as much as the table is large.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Space = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.Space", "1.0", level=3, num="7.5", group="ours", description="""\
[ClickHouse] SHALL store less, in rows and in bytes, after a merge that has replaced rows than before.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_TTL = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.TTL", "1.0", level=3, num="7.6", group="ours", description="""\
[ClickHouse] SHALL remove the surviving row of a key in a merge if its time to live is over, and not bring back a row that it has replaced.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final", "1.0", level=3, num="8.1", group="ours", description="""\
[ClickHouse] SHALL return from `SELECT ... FINAL` the rows that a merge of all parts read would leave, without changing the parts of the table.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Setting", "1.0", level=3, num="8.2", group="ours", description="""\
[ClickHouse] SHALL treat a query with the setting `final = 1` as if each ReplacingMergeTree table in it were read with `FINAL`.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Filter", "1.0", level=3, num="8.3", group="ours", description="""\
[ClickHouse] SHALL apply the `WHERE` condition of a `FINAL` query to the surviving rows only.

A condition that matches nothing but a replaced row gives an empty result. (`PREWHERE`, by its definition, filters before the rows are compared. So do skip indexes with `use_skip_indexes_if_final_exact_mode = 0`, which is not the default.)\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Prewhere = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Prewhere", "1.0", level=3, num="8.4", group="ours", description="""\
[ClickHouse] SHALL apply the `PREWHERE` condition of a `FINAL` query to the rows before they are compared, and with `apply_prewhere_after_final = 1` to the surviving rows only.

A row that was replaced is therefore returned by `PREWHERE` if the row that replaced it does not meet the condition. Conditions on the sorting key give the same either way.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_RowPolicy = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.RowPolicy", "1.0", level=3, num="8.5", group="ours", description="""\
[ClickHouse] SHALL apply a row policy to the surviving rows of a `FINAL` query, and with `apply_row_policy_after_final = 0` to the rows before they are compared.

A user from whom the newest row of a key is hidden does not see an older one in its place.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Projections = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Projections", "1.0", level=3, num="8.6", group="ours", description="""\
[ClickHouse] SHALL not answer a `FINAL` query from a projection.

A projection knows the rows of one part; what survives is decided among several.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Sample = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Sample", "1.0", level=3, num="8.7", group="ours", description="""\
[ClickHouse] SHALL return from `SELECT ... FINAL SAMPLE` the surviving rows of the keys that belong to the sample.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Optimizations = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Optimizations", "1.0", level=3, num="8.8", group="ours", description="""\
[ClickHouse] SHALL return the same rows from `SELECT ... FINAL` whichever settings that optimize queries are switched on, also where the sorting key has `NULL`, `nan`, `0.0` or `-0.0`.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_LightweightDelete = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.LightweightDelete", "1.0", level=3, num="8.9", group="ours", description="""\
[ClickHouse] SHALL leave rows that were removed by `DELETE FROM` out of the comparison, in `FINAL` queries and in merges.

Where the newest row of a key is removed in this way the row before it survives. A deletion row that is removed no longer hides anything.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Writers = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Writers", "1.0", level=3, num="8.10", group="ours", description="""\
[ClickHouse] SHALL return to every `FINAL` query exactly one row of each key, of a version that is no older than the one whose insert was answered before the query began, while new versions are inserted and parts are merged.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Grants = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Grants", "1.0", level=3, num="8.11", group="ours", description="""\
[ClickHouse] SHALL execute a `FINAL` query for a user who may read the columns that the query names, whether the user may read the version column or not, and refuse it if it names a column that the user may not read.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Distributed = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Distributed", "1.0", level=3, num="8.12", group="ours", description="""\
[ClickHouse] SHALL return from `FINAL` through a `Distributed` table the rows that survive on each shard: rows with equal keys on different shards are all returned.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Replicated = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Replicated", "1.0", level=3, num="8.13", group="ours", description="""\
[ClickHouse] SHALL return the same survivors from every replica of a `ReplicatedReplacingMergeTree` table, with `FINAL` and after a merge, when the replicas have fetched all parts, whichever replica the versions were inserted on.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Merge", "1.0", level=3, num="9.1", group="ours", description="""\
[ClickHouse] SHALL keep duplicates that lie in different partitions through all merges, `OPTIMIZE TABLE ... FINAL` included.

A partition key that is not a function of the sorting key therefore lets duplicates stay for good.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Final", "1.0", level=3, num="9.2", group="ours", description="""\
[ClickHouse] SHALL return one row for each key from `SELECT ... FINAL` with `do_not_merge_across_partitions_select_final = 0`, also where duplicates lie in different partitions.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.FinalWithinPartition", "1.0", level=3, num="9.3", group="ours", description="""\
[ClickHouse] SHALL deduplicate each partition by itself in `SELECT ... FINAL` with `do_not_merge_across_partitions_select_final = 1`.

```sql
CREATE TABLE spread (part UInt8, key UInt64, value String)
ENGINE = ReplacingMergeTree PARTITION BY part ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO spread VALUES (1, 1, 'one');
INSERT INTO spread VALUES (2, 1, 'two');

SELECT count() FROM spread FINAL
SETTINGS do_not_merge_across_partitions_select_final = 0; -- 1

SELECT count() FROM spread FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1; -- 2
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.ReplacePartition", "1.0", level=3, num="9.4", group="ours", description="""\
[ClickHouse] SHALL put into the destination of `ALTER TABLE ... REPLACE PARTITION` all rows of the source partition, duplicates included, and deduplicate them by the destination's engine from then on.

Rows that the destination held in that partition are gone before the comparison: a greater version among them does not win over a row of the source.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsert", "1.0", level=3, num="10.1", group="ours", description="""\
[ClickHouse] SHALL write only the surviving row of duplicates that arrive in one insert block when `optimize_on_insert` is enabled, which is its default.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsertDisabled", "1.0", level=3, num="10.2", group="ours", description="""\
[ClickHouse] SHALL write all rows of an insert block, duplicates included, when `optimize_on_insert = 0`.

```sql
CREATE TABLE raw_rows (key UInt64, value String)
ENGINE = ReplacingMergeTree ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO raw_rows SETTINGS optimize_on_insert = 0 VALUES (1, 'a'), (1, 'b');

SELECT count() FROM raw_rows;       -- 2
SELECT value FROM raw_rows FINAL;   -- 'b'
```\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_AsyncInsert = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.AsyncInsert", "1.0", level=3, num="10.3", group="ours", description="""\
[ClickHouse] SHALL compare the rows that one flush of the asynchronous insert queue writes as those of one insert, in the order in which they arrived.\
""")

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart = Requirement("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Restart", "1.0", level=3, num="10.4", group="ours", description="""\
[ClickHouse] SHALL return the same rows from `SELECT ... FINAL` after a restart of the server as before it.\
""")

SRS_101 = Specification(
    name="SRS-101 ClickHouse ReplacingMergeTree",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=(
        Specification.Heading("Introduction", 2, "1"),
        Specification.Heading("Creating a Table", 2, "2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree", 3, "2.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.Clauses", 3, "2.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingSortingKey", 3, "2.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.TooManyParameters", 3, "2.4"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingColumn", 3, "2.5"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.IfNotExists", 3, "2.6"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.OrReplace", 3, "2.7"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.OnCluster", 3, "2.8"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.ColumnExpressions", 3, "2.9"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.Projections", 3, "2.10"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax", 3, "2.11"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax.Disallowed", 3, "2.12"),
        Specification.Heading("What Makes Rows Duplicates", 2, "3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.SortingKey", 3, "3.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.PrimaryKey", 3, "3.2"),
        Specification.Heading("Which Row Survives", 2, "4"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastInsert", 3, "4.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastRowOfInsert", 3, "4.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.WholeRow", 3, "4.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.AttachedPart", 3, "4.4"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Maximum", 3, "4.5"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Equal", 3, "4.6"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Types", 3, "4.7"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.UnsupportedType", 3, "4.8"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Alter", 3, "4.9"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Update", 3, "4.10"),
        Specification.Heading("Deleting by Insert", 2, "5"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Final", 3, "5.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Merge", 3, "5.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Outdated", 3, "5.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Reinsert", 3, "5.4"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.SameAsVersion", 3, "5.5"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Type", 3, "5.6"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.WrongValue", 3, "5.7"),
        Specification.Heading("Cleanup", 2, "6"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup", 3, "6.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.ForgetsVersion", 3, "6.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.NotAllowed", 3, "6.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.Background", 3, "6.4"),
        Specification.Heading("Merges", 2, "7"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge", 3, "7.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.Eventual", 3, "7.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.OptimizeFinal", 3, "7.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.OptimizeRewrites", 3, "7.4"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.Space", 3, "7.5"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.TTL", 3, "7.6"),
        Specification.Heading("Reading with FINAL", 2, "8"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final", 3, "8.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Setting", 3, "8.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Filter", 3, "8.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Prewhere", 3, "8.4"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.RowPolicy", 3, "8.5"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Projections", 3, "8.6"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Sample", 3, "8.7"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Optimizations", 3, "8.8"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.LightweightDelete", 3, "8.9"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Writers", 3, "8.10"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Grants", 3, "8.11"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Distributed", 3, "8.12"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Replicated", 3, "8.13"),
        Specification.Heading("Partitions", 2, "9"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Merge", 3, "9.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Final", 3, "9.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.FinalWithinPartition", 3, "9.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.ReplacePartition", 3, "9.4"),
        Specification.Heading("Inserts and Restarts", 2, "10"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsert", 3, "10.1"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsertDisabled", 3, "10.2"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.AsyncInsert", 3, "10.3"),
        Specification.Heading("RQ.SRS-101.ClickHouse.ReplacingMergeTree.Restart", 3, "10.4"),
        Specification.Heading("Sources", 2, "11"),
    ),
    requirements=(
        RQ_SRS_101_ClickHouse_ReplacingMergeTree,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_IfNotExists,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OrReplace,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OnCluster,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_ColumnExpressions,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Projections,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Alter,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Update,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Outdated,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Reinsert,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_Background,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeRewrites,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Space,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_TTL,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Prewhere,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_RowPolicy,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Projections,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Sample,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Optimizations,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_LightweightDelete,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Writers,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Grants,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Distributed,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Replicated,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_AsyncInsert,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart,
    ),
)
