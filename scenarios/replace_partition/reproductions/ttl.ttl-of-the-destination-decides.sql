-- Rows that expire in the source are removed from a destination whose TTL keeps them until 2041.
CREATE TABLE source (p UInt64, i UInt64, d Date) ENGINE = MergeTree PARTITION BY p ORDER BY i TTL d + INTERVAL 1 YEAR;
CREATE TABLE destination (p UInt64, i UInt64, d Date) ENGINE = MergeTree PARTITION BY p ORDER BY i TTL d + INTERVAL 40 YEAR;
SYSTEM STOP TTL MERGES source;
INSERT INTO source SELECT 1, number, '2001-01-01' FROM numbers(10);

ALTER TABLE destination REPLACE PARTITION 1 FROM source;
OPTIMIZE TABLE destination FINAL;

-- expected: 10
-- observed: 0
SELECT count() FROM destination;

-- The other way round: rows that expire in the destination stay in it.
CREATE TABLE short AS source;
CREATE TABLE long AS destination;
INSERT INTO long SELECT 1, number, '2001-01-01' FROM numbers(10);
ALTER TABLE short REPLACE PARTITION 1 FROM long;
OPTIMIZE TABLE short FINAL;

-- expected: 0
-- observed: 10
SELECT count() FROM short;
