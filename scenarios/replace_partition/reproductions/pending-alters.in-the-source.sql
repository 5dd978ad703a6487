-- ALTERs that are pending in the source when a partition is replaced: the rows do not arrive as the source has them.
CREATE TABLE source (p UInt64, i UInt64, v UInt64, w UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source VALUES (1, 1, 11, 21), (1, 2, 12, 22);
INSERT INTO destination VALUES (1, 41, 51, 61);
SYSTEM STOP MERGES source;
ALTER TABLE source RENAME COLUMN v TO x SETTINGS mutations_sync = 0, alter_sync = 0;
ALTER TABLE destination RENAME COLUMN v TO x;

-- expected: 11, 21
-- expected: 12, 22
SELECT x, w FROM source ORDER BY i;

ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- expected: 11, 21
-- expected: 12, 22
-- observed: 0, 21
-- observed: 0, 22
SELECT x, w FROM destination ORDER BY i;

-- The same with CLEAR COLUMN, which does not change the structure.
CREATE TABLE cleared (p UInt64, i UInt64, v UInt64, w UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE taken AS cleared;
INSERT INTO cleared VALUES (1, 1, 11, 21);
INSERT INTO taken VALUES (1, 41, 51, 61);
SYSTEM STOP MERGES cleared;
ALTER TABLE cleared CLEAR COLUMN v SETTINGS mutations_sync = 0, alter_sync = 0;

-- expected: 0
SELECT v FROM cleared;

ALTER TABLE taken REPLACE PARTITION 1 FROM cleared;

-- expected: 0
-- observed: 11
SELECT v FROM taken;
