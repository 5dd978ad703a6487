"""SRS-101 ClickHouse ReplacingMergeTree: generated from srs101_replacing_merge_tree.md, do not edit."""

# ruff: noqa: E501

from pathlib import Path

# The class `testflows.core` exports, without the start of the whole framework (0.4 s).
from testflows._core.objects import Requirement, Specification

from requirements.compiler import model

RQ_SRS_101_ClickHouse_ReplacingMergeTree = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree",
    version="1.0",
    description="""\
[ClickHouse] SHALL create a table with the engine `ReplacingMergeTree` given no parameter, a version column, or a version column followed by a deletion column.

```sql
CREATE TABLE plain (key UInt64, value String)
ENGINE = ReplacingMergeTree ORDER BY key;

CREATE TABLE versioned (key UInt64, value String, version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY key;

CREATE TABLE deletable (key UInt64, value String, version UInt64, deleted UInt8)
ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key;
```\
""",
    level=3,
    num="2.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.Clauses",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="2.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingSortingKey",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse with `NUMBER_OF_ARGUMENTS_DOESNT_MATCH` (42) to create a ReplacingMergeTree table that has neither `ORDER BY` nor `PRIMARY KEY`.

Without a sorting key there is nothing that makes two rows duplicates. A table that wants no key says so with `ORDER BY tuple()`.\
""",
    level=3,
    num="2.3",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.TooManyParameters",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse with `NUMBER_OF_ARGUMENTS_DOESNT_MATCH` (42) to create a ReplacingMergeTree table with more than two engine parameters and an `ORDER BY` clause.

```sql
CREATE TABLE three_parameters (key UInt64, version UInt64, deleted UInt8)
ENGINE = ReplacingMergeTree(version, deleted, key) ORDER BY key; -- error 42
```\
""",
    level=3,
    num="2.4",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingColumn",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse with `NO_SUCH_COLUMN_IN_TABLE` (16) an engine parameter that names no stored column of the table.

A column that is missing and an `ALIAS` column, which is computed and not stored, are refused alike.

```sql
CREATE TABLE alias_version (key UInt64, version UInt64 ALIAS key)
ENGINE = ReplacingMergeTree(version) ORDER BY key; -- error 16
```\
""",
    level=3,
    num="2.5",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax",
    version="1.0",
    description="""\
[ClickHouse] SHALL deduplicate a table created by the deprecated form `ReplacingMergeTree(date, [sampling,] (key), granularity[, version])` by the rules of this specification when `allow_deprecated_syntax_for_merge_tree` is enabled.

```sql
SET allow_deprecated_syntax_for_merge_tree = 1;

CREATE TABLE old_style (day Date, key UInt64, value String, version UInt8)
ENGINE = ReplacingMergeTree(day, (key), 8192, version);
```\
""",
    level=3,
    num="2.6",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax.Disallowed",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse the deprecated form of the engine with `BAD_ARGUMENTS` (36) unless `allow_deprecated_syntax_for_merge_tree` is enabled.\
""",
    level=3,
    num="2.7",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.SortingKey",
    version="1.0",
    description="""\
[ClickHouse] SHALL treat two rows of a ReplacingMergeTree table as duplicates exactly if all expressions of the `ORDER BY` clause have equal values in both, whatever the other columns hold.

The values of the expressions count, not those of the columns they are computed from: with `ORDER BY intDiv(key, 10)` the rows with `key` 11 and 12 are duplicates, those with 12 and 22 are not.\
""",
    level=3,
    num="3.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.PrimaryKey",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="3.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastInsert",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep, of duplicates in one partition of a table without a version column, the row of the most recent insert.

```sql
CREATE TABLE statuses (key UInt64, status String)
ENGINE = ReplacingMergeTree ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO statuses VALUES (1, 'ordered');
INSERT INTO statuses VALUES (1, 'delivered');

SELECT * FROM statuses FINAL; -- (1, 'delivered')
```\
""",
    level=3,
    num="4.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastRowOfInsert",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep, of duplicates that arrive in one insert into a table without a version column, the one that comes last in that insert.\
""",
    level=3,
    num="4.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.WholeRow",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep the surviving row with the values of all its columns as they were inserted, never a mixture of several duplicates.\
""",
    level=3,
    num="4.3",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.AttachedPart",
    version="1.0",
    description="""\
[ClickHouse] SHALL rank the rows of a part attached by `ALTER TABLE ... ATTACH PART` as the most recent insert of a table without a version column.

Attaching creates the newest part of the table, however old its rows are: a part that is detached and attached again wins over what was inserted in between.\
""",
    level=3,
    num="4.4",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Maximum",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep, of duplicates in a table with a version column, the row with the greatest version, whatever the order in which the rows were inserted.

```sql
CREATE TABLE documents (key UInt64, body String, edited DateTime)
ENGINE = ReplacingMergeTree(edited) ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO documents VALUES (1, 'newer', '2024-05-02 10:00:00');
INSERT INTO documents VALUES (1, 'older', '2024-05-01 10:00:00');

SELECT body FROM documents FINAL; -- 'newer'
```\
""",
    level=3,
    num="4.5",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Equal",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep, of duplicates in one partition that share the greatest version, the one inserted last.\
""",
    level=3,
    num="4.6",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Types",
    version="1.0",
    description="""\
[ClickHouse] SHALL accept as a version column a column of the types `UInt8`, `UInt16`, `UInt32`, `UInt64`, `UInt128`, `UInt256`, `Date`, `DateTime` and `DateTime64`.\
""",
    level=3,
    num="4.7",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.UnsupportedType",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse with `BAD_TYPE_OF_FIELD` (169) a version column of a type that is neither a number nor a date or time, such as `String`, `FixedString`, `UUID`, `Array`, an enumeration or a `Nullable` type.

```sql
CREATE TABLE text_version (key UInt64, version String)
ENGINE = ReplacingMergeTree(version) ORDER BY key; -- error 169
```\
""",
    level=3,
    num="4.8",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Final",
    version="1.0",
    description="""\
[ClickHouse] SHALL return no row from `SELECT ... FINAL` for a key whose surviving row is a deletion row.

```sql
CREATE TABLE accounts (key UInt64, owner String, version UInt64, deleted UInt8)
ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO accounts VALUES (1, 'Ada', 1, 0), (2, 'Max', 1, 0);
INSERT INTO accounts VALUES (1, 'Ada', 2, 1);

SELECT owner FROM accounts FINAL; -- 'Max'
```\
""",
    level=3,
    num="5.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Merge",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep the surviving deletion row of a key in the table through every merge that is not a cleanup.

As long as the deletion row is stored, it goes on hiding rows with a smaller version that arrive late.\
""",
    level=3,
    num="5.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Outdated = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Outdated",
    version="1.0",
    description="""\
[ClickHouse] SHALL ignore a deletion row whose version is smaller than that of a state row with the same key.\
""",
    level=3,
    num="5.3",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Reinsert = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Reinsert",
    version="1.0",
    description="""\
[ClickHouse] SHALL return a key from `SELECT ... FINAL` again after a state row with a greater version than its deletion row has been inserted.\
""",
    level=3,
    num="5.4",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.SameAsVersion",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse with `BAD_ARGUMENTS` (36) one column that is named both as version column and as deletion column.

The deletion column is the second parameter, so it cannot be given without a version column either.\
""",
    level=3,
    num="5.5",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Type",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse with `BAD_TYPE_OF_FIELD` (169) a deletion column of a type whose values are not stored as `UInt8`.

```sql
CREATE TABLE signed_deletion (key UInt64, version UInt64, deleted Int8)
ENGINE = ReplacingMergeTree(version, deleted) ORDER BY key; -- error 169
```\
""",
    level=3,
    num="5.6",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.WrongValue",
    version="1.0",
    description="""\
[ClickHouse] SHALL fail with `INCORRECT_DATA` (117) any deduplication that meets a value other than `0` and `1` in the deletion column.

With `optimize_on_insert = 1` the insert itself deduplicates and is therefore the statement that fails; with `0` it is the first merge or `FINAL` query.\
""",
    level=3,
    num="5.7",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="6.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.ForgetsVersion",
    version="1.0",
    description="""\
[ClickHouse] SHALL show a state row inserted after a cleanup even if its version is smaller than that of the deletion row the cleanup removed.\
""",
    level=3,
    num="6.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.NotAllowed",
    version="1.0",
    description="""\
[ClickHouse] SHALL refuse `OPTIMIZE TABLE ... FINAL CLEANUP` with `SUPPORT_IS_DISABLED` (344) and change no row unless the table's setting `allow_experimental_replacing_merge_with_cleanup` is enabled.\
""",
    level=3,
    num="6.3",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge",
    version="1.0",
    description="""\
[ClickHouse] SHALL leave exactly one row for each key in the part that a merge produces.

A merge sees only the parts that take part in it; duplicates in other parts of the table stay.\
""",
    level=3,
    num="7.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.Eventual",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="7.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.OptimizeFinal",
    version="1.0",
    description="""\
[ClickHouse] SHALL leave one row for each key in every partition after `OPTIMIZE TABLE ... FINAL`, also where a partition consists of a single part.\
""",
    level=3,
    num="7.3",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final",
    version="1.0",
    description="""\
[ClickHouse] SHALL return from `SELECT ... FINAL` the rows that a merge of all parts read would leave, without changing the parts of the table.\
""",
    level=3,
    num="8.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Setting",
    version="1.0",
    description="""\
[ClickHouse] SHALL treat a query with the setting `final = 1` as if each ReplacingMergeTree table in it were read with `FINAL`.\
""",
    level=3,
    num="8.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Filter",
    version="1.0",
    description="""\
[ClickHouse] SHALL apply the `WHERE` condition of a `FINAL` query to the surviving rows only.

A condition that matches nothing but a replaced row gives an empty result. (`PREWHERE`, by its definition, filters before the rows are compared.)\
""",
    level=3,
    num="8.3",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Merge",
    version="1.0",
    description="""\
[ClickHouse] SHALL keep duplicates that lie in different partitions through all merges, `OPTIMIZE TABLE ... FINAL` included.

A partition key that is not a function of the sorting key therefore lets duplicates stay for good.\
""",
    level=3,
    num="9.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Final",
    version="1.0",
    description="""\
[ClickHouse] SHALL return one row for each key from `SELECT ... FINAL` with `do_not_merge_across_partitions_select_final = 0`, also where duplicates lie in different partitions.\
""",
    level=3,
    num="9.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.FinalWithinPartition",
    version="1.0",
    description="""\
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
""",
    level=3,
    num="9.3",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.ReplacePartition",
    version="1.0",
    description="""\
[ClickHouse] SHALL put into the destination of `ALTER TABLE ... REPLACE PARTITION` all rows of the source partition, duplicates included, and deduplicate them by the destination's engine from then on.

Rows that the destination held in that partition are gone before the comparison: a greater version among them does not win over a row of the source.\
""",
    level=3,
    num="9.4",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsert",
    version="1.0",
    description="""\
[ClickHouse] SHALL write only the surviving row of duplicates that arrive in one insert block when `optimize_on_insert` is enabled, which is its default.\
""",
    level=3,
    num="10.1",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsertDisabled",
    version="1.0",
    description="""\
[ClickHouse] SHALL write all rows of an insert block, duplicates included, when `optimize_on_insert = 0`.

```sql
CREATE TABLE raw_rows (key UInt64, value String)
ENGINE = ReplacingMergeTree ORDER BY key
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;

INSERT INTO raw_rows SETTINGS optimize_on_insert = 0 VALUES (1, 'a'), (1, 'b');

SELECT count() FROM raw_rows;       -- 2
SELECT value FROM raw_rows FINAL;   -- 'b'
```\
""",
    level=3,
    num="10.2",
)

RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart = Requirement(
    name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Restart",
    version="1.0",
    description="""\
[ClickHouse] SHALL return the same rows from `SELECT ... FINAL` after a restart of the server as before it.\
""",
    level=3,
    num="10.3",
)

TABLE = model.Specification(
    id="SRS-101",
    title="ClickHouse ReplacingMergeTree",
    file="requirements/srs101_replacing_merge_tree.md",
    line=1,
    state="active",
    reason="",
    sections=(
        model.Section(
            title="Introduction",
            level=2,
            number="1",
            line=57,
            anchor="introduction",
        ),
        model.Section(
            title="Creating a Table",
            level=2,
            number="2",
            line=70,
            anchor="creating-a-table",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree",
            level=3,
            number="2.1",
            line=72,
            anchor="rqsrs-101clickhousereplacingmergetree",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.Clauses",
            level=3,
            number="2.2",
            line=88,
            anchor="rqsrs-101clickhousereplacingmergetreecreateclauses",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingSortingKey",
            level=3,
            number="2.3",
            line=103,
            anchor="rqsrs-101clickhousereplacingmergetreecreatemissingsortingkey",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.TooManyParameters",
            level=3,
            number="2.4",
            line=110,
            anchor="rqsrs-101clickhousereplacingmergetreecreatetoomanyparameters",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingColumn",
            level=3,
            number="2.5",
            line=120,
            anchor="rqsrs-101clickhousereplacingmergetreecreatemissingcolumn",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax",
            level=3,
            number="2.6",
            line=132,
            anchor="rqsrs-101clickhousereplacingmergetreecreatedeprecatedsyntax",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax.Disallowed",
            level=3,
            number="2.7",
            line=144,
            anchor="rqsrs-101clickhousereplacingmergetreecreatedeprecatedsyntaxdisallowed",
        ),
        model.Section(
            title="What Makes Rows Duplicates",
            level=2,
            number="3",
            line=149,
            anchor="what-makes-rows-duplicates",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.SortingKey",
            level=3,
            number="3.1",
            line=151,
            anchor="rqsrs-101clickhousereplacingmergetreeuniquenesssortingkey",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.PrimaryKey",
            level=3,
            number="3.2",
            line=158,
            anchor="rqsrs-101clickhousereplacingmergetreeuniquenessprimarykey",
        ),
        model.Section(
            title="Which Row Survives",
            level=2,
            number="4",
            line=175,
            anchor="which-row-survives",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastInsert",
            level=3,
            number="4.1",
            line=177,
            anchor="rqsrs-101clickhousereplacingmergetreeselectionlastinsert",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastRowOfInsert",
            level=3,
            number="4.2",
            line=193,
            anchor="rqsrs-101clickhousereplacingmergetreeselectionlastrowofinsert",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.WholeRow",
            level=3,
            number="4.3",
            line=198,
            anchor="rqsrs-101clickhousereplacingmergetreeselectionwholerow",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.AttachedPart",
            level=3,
            number="4.4",
            line=203,
            anchor="rqsrs-101clickhousereplacingmergetreeselectionattachedpart",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Maximum",
            level=3,
            number="4.5",
            line=210,
            anchor="rqsrs-101clickhousereplacingmergetreeversionmaximum",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Equal",
            level=3,
            number="4.6",
            line=226,
            anchor="rqsrs-101clickhousereplacingmergetreeversionequal",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Types",
            level=3,
            number="4.7",
            line=231,
            anchor="rqsrs-101clickhousereplacingmergetreeversiontypes",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.UnsupportedType",
            level=3,
            number="4.8",
            line=236,
            anchor="rqsrs-101clickhousereplacingmergetreeversionunsupportedtype",
        ),
        model.Section(
            title="Deleting by Insert",
            level=2,
            number="5",
            line=246,
            anchor="deleting-by-insert",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Final",
            level=3,
            number="5.1",
            line=248,
            anchor="rqsrs-101clickhousereplacingmergetreeisdeletedfinal",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Merge",
            level=3,
            number="5.2",
            line=264,
            anchor="rqsrs-101clickhousereplacingmergetreeisdeletedmerge",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Outdated",
            level=3,
            number="5.3",
            line=271,
            anchor="rqsrs-101clickhousereplacingmergetreeisdeletedoutdated",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Reinsert",
            level=3,
            number="5.4",
            line=276,
            anchor="rqsrs-101clickhousereplacingmergetreeisdeletedreinsert",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.SameAsVersion",
            level=3,
            number="5.5",
            line=281,
            anchor="rqsrs-101clickhousereplacingmergetreeisdeletedsameasversion",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Type",
            level=3,
            number="5.6",
            line=288,
            anchor="rqsrs-101clickhousereplacingmergetreeisdeletedtype",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.WrongValue",
            level=3,
            number="5.7",
            line=298,
            anchor="rqsrs-101clickhousereplacingmergetreeisdeletedwrongvalue",
        ),
        model.Section(
            title="Cleanup",
            level=2,
            number="6",
            line=305,
            anchor="cleanup",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup",
            level=3,
            number="6.1",
            line=307,
            anchor="rqsrs-101clickhousereplacingmergetreecleanup",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.ForgetsVersion",
            level=3,
            number="6.2",
            line=326,
            anchor="rqsrs-101clickhousereplacingmergetreecleanupforgetsversion",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.NotAllowed",
            level=3,
            number="6.3",
            line=331,
            anchor="rqsrs-101clickhousereplacingmergetreecleanupnotallowed",
        ),
        model.Section(
            title="Merges",
            level=2,
            number="7",
            line=336,
            anchor="merges",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge",
            level=3,
            number="7.1",
            line=338,
            anchor="rqsrs-101clickhousereplacingmergetreemerge",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.Eventual",
            level=3,
            number="7.2",
            line=345,
            anchor="rqsrs-101clickhousereplacingmergetreemergeeventual",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.OptimizeFinal",
            level=3,
            number="7.3",
            line=364,
            anchor="rqsrs-101clickhousereplacingmergetreemergeoptimizefinal",
        ),
        model.Section(
            title="Reading with FINAL",
            level=2,
            number="8",
            line=369,
            anchor="reading-with-final",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final",
            level=3,
            number="8.1",
            line=371,
            anchor="rqsrs-101clickhousereplacingmergetreefinal",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Setting",
            level=3,
            number="8.2",
            line=376,
            anchor="rqsrs-101clickhousereplacingmergetreefinalsetting",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Filter",
            level=3,
            number="8.3",
            line=381,
            anchor="rqsrs-101clickhousereplacingmergetreefinalfilter",
        ),
        model.Section(
            title="Partitions",
            level=2,
            number="9",
            line=388,
            anchor="partitions",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Merge",
            level=3,
            number="9.1",
            line=390,
            anchor="rqsrs-101clickhousereplacingmergetreepartitionsmerge",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Final",
            level=3,
            number="9.2",
            line=397,
            anchor="rqsrs-101clickhousereplacingmergetreepartitionsfinal",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.FinalWithinPartition",
            level=3,
            number="9.3",
            line=402,
            anchor="rqsrs-101clickhousereplacingmergetreepartitionsfinalwithinpartition",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.ReplacePartition",
            level=3,
            number="9.4",
            line=422,
            anchor="rqsrs-101clickhousereplacingmergetreepartitionsreplacepartition",
        ),
        model.Section(
            title="Inserts and Restarts",
            level=2,
            number="10",
            line=429,
            anchor="inserts-and-restarts",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsert",
            level=3,
            number="10.1",
            line=431,
            anchor="rqsrs-101clickhousereplacingmergetreeinsertoptimizeoninsert",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsertDisabled",
            level=3,
            number="10.2",
            line=436,
            anchor="rqsrs-101clickhousereplacingmergetreeinsertoptimizeoninsertdisabled",
        ),
        model.Section(
            title="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Restart",
            level=3,
            number="10.3",
            line=452,
            anchor="rqsrs-101clickhousereplacingmergetreerestart",
        ),
        model.Section(
            title="Sources",
            level=2,
            number="11",
            line=457,
            anchor="sources",
        ),
    ),
    requirements=(
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree",
            version="1.0",
            specification="SRS-101",
            heading_path=("Creating a Table",),
            level=3,
            number="2.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=72,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree.description,
            content_hash="15ec660dbf37",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.Clauses",
            version="1.0",
            specification="SRS-101",
            heading_path=("Creating a Table",),
            level=3,
            number="2.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=88,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses.description,
            content_hash="bf1dab543c63",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingSortingKey",
            version="1.0",
            specification="SRS-101",
            heading_path=("Creating a Table",),
            level=3,
            number="2.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=103,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey.description,
            content_hash="6a74242e5068",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.TooManyParameters",
            version="1.0",
            specification="SRS-101",
            heading_path=("Creating a Table",),
            level=3,
            number="2.4",
            file="requirements/srs101_replacing_merge_tree.md",
            line=110,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters.description,
            content_hash="5c9d97f5692a",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.MissingColumn",
            version="1.0",
            specification="SRS-101",
            heading_path=("Creating a Table",),
            level=3,
            number="2.5",
            file="requirements/srs101_replacing_merge_tree.md",
            line=120,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn.description,
            content_hash="7bc47db07bd9",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax",
            version="1.0",
            specification="SRS-101",
            heading_path=("Creating a Table",),
            level=3,
            number="2.6",
            file="requirements/srs101_replacing_merge_tree.md",
            line=132,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax.description,
            content_hash="813a6f616d40",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Create.DeprecatedSyntax.Disallowed",
            version="1.0",
            specification="SRS-101",
            heading_path=("Creating a Table",),
            level=3,
            number="2.7",
            file="requirements/srs101_replacing_merge_tree.md",
            line=144,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed.description,
            content_hash="3b173baf4dc8",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.SortingKey",
            version="1.0",
            specification="SRS-101",
            heading_path=("What Makes Rows Duplicates",),
            level=3,
            number="3.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=151,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey.description,
            content_hash="f2005f4d5195",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_SortingKey",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Uniqueness.PrimaryKey",
            version="1.0",
            specification="SRS-101",
            heading_path=("What Makes Rows Duplicates",),
            level=3,
            number="3.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=158,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey.description,
            content_hash="1bfe6e088e7e",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Uniqueness_PrimaryKey",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastInsert",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=177,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert.description,
            content_hash="fd695889089d",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastInsert",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.LastRowOfInsert",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=193,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert.description,
            content_hash="6e6acd0e5b8f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_LastRowOfInsert",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.WholeRow",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=198,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow.description,
            content_hash="0894cee22c00",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_WholeRow",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Selection.AttachedPart",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.4",
            file="requirements/srs101_replacing_merge_tree.md",
            line=203,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart.description,
            content_hash="8e821cde73d1",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Selection_AttachedPart",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Maximum",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.5",
            file="requirements/srs101_replacing_merge_tree.md",
            line=210,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum.description,
            content_hash="b9f79fd32a36",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Maximum",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Equal",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.6",
            file="requirements/srs101_replacing_merge_tree.md",
            line=226,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal.description,
            content_hash="808253fd63b3",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Equal",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.Types",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.7",
            file="requirements/srs101_replacing_merge_tree.md",
            line=231,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types.description,
            content_hash="c00dd38f5922",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Version.UnsupportedType",
            version="1.0",
            specification="SRS-101",
            heading_path=("Which Row Survives",),
            level=3,
            number="4.8",
            file="requirements/srs101_replacing_merge_tree.md",
            line=236,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType.description,
            content_hash="dd997dda57a6",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Final",
            version="1.0",
            specification="SRS-101",
            heading_path=("Deleting by Insert",),
            level=3,
            number="5.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=248,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final.description,
            content_hash="daa4b73c72a7",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Final",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Merge",
            version="1.0",
            specification="SRS-101",
            heading_path=("Deleting by Insert",),
            level=3,
            number="5.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=264,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge.description,
            content_hash="3fee28b91f3f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Merge",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Outdated",
            version="1.0",
            specification="SRS-101",
            heading_path=("Deleting by Insert",),
            level=3,
            number="5.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=271,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Outdated.description,
            content_hash="951cec50f580",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Outdated",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Reinsert",
            version="1.0",
            specification="SRS-101",
            heading_path=("Deleting by Insert",),
            level=3,
            number="5.4",
            file="requirements/srs101_replacing_merge_tree.md",
            line=276,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Reinsert.description,
            content_hash="3aeb4b58ca74",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Reinsert",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.SameAsVersion",
            version="1.0",
            specification="SRS-101",
            heading_path=("Deleting by Insert",),
            level=3,
            number="5.5",
            file="requirements/srs101_replacing_merge_tree.md",
            line=281,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion.description,
            content_hash="35cce19d0e1e",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.Type",
            version="1.0",
            specification="SRS-101",
            heading_path=("Deleting by Insert",),
            level=3,
            number="5.6",
            file="requirements/srs101_replacing_merge_tree.md",
            line=288,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type.description,
            content_hash="2dd1e0dea218",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.IsDeleted.WrongValue",
            version="1.0",
            specification="SRS-101",
            heading_path=("Deleting by Insert",),
            level=3,
            number="5.7",
            file="requirements/srs101_replacing_merge_tree.md",
            line=298,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue.description,
            content_hash="0f8034af4875",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_WrongValue",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup",
            version="1.0",
            specification="SRS-101",
            heading_path=("Cleanup",),
            level=3,
            number="6.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=307,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup.description,
            content_hash="8dbed1e3960a",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.ForgetsVersion",
            version="1.0",
            specification="SRS-101",
            heading_path=("Cleanup",),
            level=3,
            number="6.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=326,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion.description,
            content_hash="f5646ab3405b",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_ForgetsVersion",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Cleanup.NotAllowed",
            version="1.0",
            specification="SRS-101",
            heading_path=("Cleanup",),
            level=3,
            number="6.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=331,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed.description,
            content_hash="4a540a469838",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Cleanup_NotAllowed",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge",
            version="1.0",
            specification="SRS-101",
            heading_path=("Merges",),
            level=3,
            number="7.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=338,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge.description,
            content_hash="a2e7dd0d1924",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.Eventual",
            version="1.0",
            specification="SRS-101",
            heading_path=("Merges",),
            level=3,
            number="7.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=345,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual.description,
            content_hash="9b3ee627eb8b",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Merge.OptimizeFinal",
            version="1.0",
            specification="SRS-101",
            heading_path=("Merges",),
            level=3,
            number="7.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=364,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal.description,
            content_hash="6f1bee30281c",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final",
            version="1.0",
            specification="SRS-101",
            heading_path=("Reading with FINAL",),
            level=3,
            number="8.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=371,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final.description,
            content_hash="e96c1dbdf52f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Setting",
            version="1.0",
            specification="SRS-101",
            heading_path=("Reading with FINAL",),
            level=3,
            number="8.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=376,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting.description,
            content_hash="dd271314ef52",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Final.Filter",
            version="1.0",
            specification="SRS-101",
            heading_path=("Reading with FINAL",),
            level=3,
            number="8.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=381,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter.description,
            content_hash="91e11c51cc84",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Merge",
            version="1.0",
            specification="SRS-101",
            heading_path=("Partitions",),
            level=3,
            number="9.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=390,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge.description,
            content_hash="b4e0e56ba412",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.Final",
            version="1.0",
            specification="SRS-101",
            heading_path=("Partitions",),
            level=3,
            number="9.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=397,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final.description,
            content_hash="19caa4f7521f",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.FinalWithinPartition",
            version="1.0",
            specification="SRS-101",
            heading_path=("Partitions",),
            level=3,
            number="9.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=402,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition.description,
            content_hash="4fc1a1a2f526",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Partitions.ReplacePartition",
            version="1.0",
            specification="SRS-101",
            heading_path=("Partitions",),
            level=3,
            number="9.4",
            file="requirements/srs101_replacing_merge_tree.md",
            line=422,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition.description,
            content_hash="93a4a850727c",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsert",
            version="1.0",
            specification="SRS-101",
            heading_path=("Inserts and Restarts",),
            level=3,
            number="10.1",
            file="requirements/srs101_replacing_merge_tree.md",
            line=431,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert.description,
            content_hash="324a7042aeb4",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Insert.OptimizeOnInsertDisabled",
            version="1.0",
            specification="SRS-101",
            heading_path=("Inserts and Restarts",),
            level=3,
            number="10.2",
            file="requirements/srs101_replacing_merge_tree.md",
            line=436,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled.description,
            content_hash="404d023e490c",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled",
        ),
        model.RequirementText(
            name="RQ.SRS-101.ClickHouse.ReplacingMergeTree.Restart",
            version="1.0",
            specification="SRS-101",
            heading_path=("Inserts and Restarts",),
            level=3,
            number="10.3",
            file="requirements/srs101_replacing_merge_tree.md",
            line=452,
            text=RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart.description,
            content_hash="4aedb0a0f527",
            origin="",
            untested_reason="",
            python_name="RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart",
        ),
    ),
)

SRS_101 = Specification(
    name="SRS-101 ClickHouse ReplacingMergeTree",
    content=Path(__file__).with_suffix(".md").read_text(encoding="utf-8"),
    headings=tuple(
        Specification.Heading(section.title, section.level, section.number)
        for section in TABLE.sections
    ),
    requirements=(
        RQ_SRS_101_ClickHouse_ReplacingMergeTree,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Clauses,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn,
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
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_Eventual,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Merge_OptimizeFinal,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Setting,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Merge,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_Final,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_FinalWithinPartition,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Partitions_ReplacePartition,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled,
        RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart,
    ),
)
