-- A block whose rows were replaced is acknowledged and dropped when it is inserted again.
SET async_insert = 0;
CREATE TABLE source (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i
SETTINGS non_replicated_deduplication_window = 10;
CREATE TABLE dropped AS destination;
INSERT INTO source VALUES (1, 9);
INSERT INTO destination VALUES (1, 1);
INSERT INTO dropped VALUES (1, 1);

ALTER TABLE destination REPLACE PARTITION 1 FROM source;
ALTER TABLE dropped DROP PARTITION 1;
INSERT INTO destination VALUES (1, 1);
INSERT INTO dropped VALUES (1, 1);

-- After DROP PARTITION the same block is stored again.
-- expected: 1
SELECT count() FROM dropped WHERE i = 1;

-- expected: 1
-- observed: 0
SELECT count() FROM destination WHERE i = 1;
