-- Columns in another order, and columns with another default.
CREATE TABLE source (p UInt64, i UInt64, v UInt64, w UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE reordered (p UInt64, i UInt64, w UInt64, v UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE defaults (p UInt64, i UInt64, v UInt64 DEFAULT 7, w UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO source VALUES (1, 1, 2, 3);
INSERT INTO reordered VALUES (1, 4, 5, 6);
INSERT INTO defaults VALUES (1, 4, 5, 6);

-- expected: refused with code 122
-- observed: accepted
ALTER TABLE reordered REPLACE PARTITION 1 FROM source;

-- expected: refused with code 122
-- observed: accepted
ALTER TABLE defaults REPLACE PARTITION 1 FROM source;
