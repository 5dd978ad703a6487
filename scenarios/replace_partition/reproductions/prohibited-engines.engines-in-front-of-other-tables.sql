-- A materialized view stands for its inner table as a destination, but not as a source.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);
CREATE TABLE events (p UInt64, i UInt64, owner String) ENGINE = Null;
CREATE MATERIALIZED VIEW front ENGINE = MergeTree PARTITION BY p ORDER BY i AS SELECT * FROM events;
INSERT INTO events SELECT 1, number, 'viewed' FROM numbers(10);

-- expected: accepted
-- observed: refused with code 48
ALTER TABLE destination REPLACE PARTITION 1 FROM front;

-- expected: accepted
ALTER TABLE front REPLACE PARTITION 1 FROM source;

-- expected: viewed, 10
-- observed: old, 10
SELECT owner, count() FROM destination GROUP BY owner;
