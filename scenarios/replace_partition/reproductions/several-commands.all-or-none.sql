-- The second command is refused: the first one has been carried out all the same.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- expected: refused with code 36
ALTER TABLE destination REPLACE PARTITION 1 FROM source, REPLACE PARTITION 9 FROM source;

-- expected: old, 10
-- observed: new, 10
SELECT owner, count() FROM destination GROUP BY owner;
