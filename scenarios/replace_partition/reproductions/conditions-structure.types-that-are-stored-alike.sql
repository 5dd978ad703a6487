-- Types that are stored in the same way count as the same: a 7 becomes true.
CREATE TABLE source (p UInt64, i UInt64, v UInt8) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination (p UInt64, i UInt64, v Bool) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO source VALUES (1, 1, 7);
INSERT INTO destination VALUES (1, 2, false);

-- expected: refused with code 122
-- observed: accepted
ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- expected: 2, false
-- observed: 1, true
SELECT i, v FROM destination;
