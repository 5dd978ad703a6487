-- MOVE PARTITION TO TABLE leaves an empty part in the source, which counts as the partition.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);
CREATE TABLE other AS source;
ALTER TABLE source MOVE PARTITION 1 TO TABLE other;

-- expected: 0
SELECT count() FROM source;

-- expected: refused with code 36
-- observed: accepted
ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- expected: 10
-- observed: 0
SELECT count() FROM destination;
