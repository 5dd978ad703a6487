-- An ALIAS or EPHEMERAL column that one of the tables lacks is overlooked.
CREATE TABLE source (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE with_alias (p UInt64, i UInt64, w UInt64 ALIAS i + 1) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE with_ephemeral (p UInt64, i UInt64, w UInt64 EPHEMERAL 1) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO source VALUES (1, 1);
INSERT INTO with_alias (p, i) VALUES (1, 2);
INSERT INTO with_ephemeral (p, i) VALUES (1, 2);

-- expected: refused with code 122
-- observed: accepted
ALTER TABLE with_alias REPLACE PARTITION 1 FROM source;

-- expected: refused with code 122
-- observed: accepted
ALTER TABLE with_ephemeral REPLACE PARTITION 1 FROM source;
