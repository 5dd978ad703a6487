-- Policies that differ are not compared as long as the destination's has the disk of the source's part.
-- fragments: policies
CREATE TABLE source (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS storage_policy = 'only_left';
CREATE TABLE destination (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS storage_policy = 'left_then_right';
INSERT INTO source VALUES (1, 1);
INSERT INTO destination VALUES (1, 2);

-- expected: refused
-- observed: accepted
ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- expected: 2
-- observed: 1
SELECT i FROM destination;
