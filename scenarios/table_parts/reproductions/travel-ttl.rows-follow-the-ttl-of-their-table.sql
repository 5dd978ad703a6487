-- A part keeps the times of expiry of the table that it was written for; a merge in another table goes by them.
CREATE TABLE short (p UInt64, d DateTime, v UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY d TTL d + INTERVAL 1 DAY;
CREATE TABLE long (p UInt64, d DateTime, v UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY d TTL d + INTERVAL 50 YEAR;
SYSTEM STOP MERGES short;
INSERT INTO short SELECT number, '2020-01-01 00:00:00', 10 + number FROM numbers(1, 3);
INSERT INTO long VALUES (9, '2020-01-01 00:00:00', 20);

ALTER TABLE long REPLACE PARTITION 1 FROM short;
ALTER TABLE long ATTACH PARTITION 2 FROM short;
ALTER TABLE short MOVE PARTITION 3 TO TABLE long;

-- expected: 11
-- expected: 12
-- expected: 13
-- expected: 20
SELECT v FROM long ORDER BY v;

OPTIMIZE TABLE long FINAL;

-- expected: 4
-- observed: 1
SELECT count() FROM long;

-- The other way round expired rows stay.
CREATE TABLE kept (p UInt64, d DateTime, v UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY d TTL d + INTERVAL 1 DAY;
ALTER TABLE long MOVE PARTITION 9 TO TABLE kept;
OPTIMIZE TABLE kept FINAL;

-- expected: 0
-- observed: 1
SELECT count() FROM kept;

-- TTL of a column: its values are reset.
CREATE TABLE column_short (d DateTime, v UInt64 TTL d + INTERVAL 1 DAY) ENGINE = MergeTree ORDER BY d SETTINGS min_bytes_for_wide_part = 0;
CREATE TABLE column_long (d DateTime, v UInt64 TTL d + INTERVAL 50 YEAR) ENGINE = MergeTree ORDER BY d SETTINGS min_bytes_for_wide_part = 0;
SYSTEM STOP MERGES column_short;
INSERT INTO column_short VALUES ('2020-01-01 00:00:00', 10);
ALTER TABLE column_long ATTACH PARTITION tuple() FROM column_short;
OPTIMIZE TABLE column_long FINAL;

-- expected: 10
-- observed: 0
SELECT v FROM column_long;
