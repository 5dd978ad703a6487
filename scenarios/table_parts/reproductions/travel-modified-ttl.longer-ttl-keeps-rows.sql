-- A TTL is made longer while an expired row is still there: the row is removed all the same.
CREATE TABLE rows (d DateTime, v UInt64) ENGINE = MergeTree ORDER BY d TTL d + INTERVAL 1 DAY SETTINGS merge_with_ttl_timeout = 0;
SYSTEM STOP MERGES rows;
INSERT INTO rows VALUES ('2020-01-01 00:00:00', 10);
ALTER TABLE rows MODIFY TTL d + INTERVAL 50 YEAR SETTINGS alter_sync = 0, mutations_sync = 0;

-- expected: 10
SELECT v FROM rows;

SYSTEM START MERGES rows;
SELECT sleep(3) FORMAT Null;

-- expected: 1
-- observed: 0
SELECT count() FROM rows;

-- TTL of a column: its values are reset.
CREATE TABLE values (d DateTime, v UInt64 TTL d + INTERVAL 1 DAY) ENGINE = MergeTree ORDER BY d SETTINGS merge_with_ttl_timeout = 0, min_bytes_for_wide_part = 0;
SYSTEM STOP MERGES values;
INSERT INTO values VALUES ('2020-01-01 00:00:00', 10);
ALTER TABLE values MODIFY COLUMN v UInt64 TTL d + INTERVAL 50 YEAR SETTINGS alter_sync = 0, mutations_sync = 0;
SYSTEM START MERGES values;
SELECT sleep(3) FORMAT Null;

-- expected: 10
-- observed: 0
SELECT v FROM values;
