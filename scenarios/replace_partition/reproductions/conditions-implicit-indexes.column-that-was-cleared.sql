-- CLEAR COLUMN removes the implicit index of the column from the table's definition.
SET mutations_sync = 1;
CREATE TABLE source (p UInt64, w UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY p SETTINGS add_minmax_index_for_numeric_columns = 1;
CREATE TABLE destination AS source;
INSERT INTO source VALUES (1, 10);
INSERT INTO destination VALUES (2, 20);
ALTER TABLE destination REPLACE PARTITION 1 FROM source;

ALTER TABLE destination CLEAR COLUMN w IN PARTITION 2;

-- expected: accepted
-- observed: refused with code 36: Tables have different secondary indices
ALTER TABLE destination REPLACE PARTITION 1 FROM source;
