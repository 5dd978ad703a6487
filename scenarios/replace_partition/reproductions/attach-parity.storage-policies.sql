-- A source and a destination whose policies have no disk in common: one statement is refused, the other is not.
-- fragments: policies
CREATE TABLE source (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS storage_policy = 'only_left';
CREATE TABLE destination (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS storage_policy = 'only_right';
INSERT INTO source VALUES (1, 1);
INSERT INTO destination VALUES (1, 2);

-- expected: refused with code 36
ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- expected: refused with code 36
-- observed: accepted
ALTER TABLE destination ATTACH PARTITION 1 FROM source;
