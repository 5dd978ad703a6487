-- A format that does not exist.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- expected: refused with code 73
-- observed: accepted
ALTER TABLE destination REPLACE PARTITION 1 FROM source FORMAT NoSuchFormat;

-- expected: old, 10
-- observed: new, 10
SELECT owner, count() FROM destination GROUP BY owner;
