-- A column that was renamed while a part was detached is empty in it; one that was dropped and added has its old values.
CREATE TABLE renamed (i UInt64, v UInt64) ENGINE = MergeTree ORDER BY i;
INSERT INTO renamed VALUES (1, 11);
ALTER TABLE renamed DETACH PARTITION tuple();
ALTER TABLE renamed RENAME COLUMN v TO x;
ALTER TABLE renamed ATTACH PARTITION tuple();

-- expected: 1, 11
-- observed: 1, 0
SELECT i, x FROM renamed;

CREATE TABLE dropped (i UInt64, v UInt64) ENGINE = MergeTree ORDER BY i;
INSERT INTO dropped VALUES (1, 11);
ALTER TABLE dropped DETACH PARTITION tuple();
ALTER TABLE dropped DROP COLUMN v;
ALTER TABLE dropped ADD COLUMN v UInt64 DEFAULT 7;
ALTER TABLE dropped ATTACH PARTITION tuple();

-- expected: 1, 7
-- observed: 1, 11
SELECT i, v FROM dropped;
