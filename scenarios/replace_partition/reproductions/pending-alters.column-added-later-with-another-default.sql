-- A column that the parts of the source do not hold is computed by the destination's own expression.
CREATE TABLE source (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source VALUES (1, 1);
INSERT INTO destination VALUES (1, 2);
ALTER TABLE source ADD COLUMN z UInt64 DEFAULT 5;
ALTER TABLE destination ADD COLUMN z UInt64 DEFAULT 7;

-- expected: 1, 5
SELECT i, z FROM source;

ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- expected: 1, 5
-- observed: 1, 7
SELECT i, z FROM destination;
