-- A change that was answered is not carried out in a part that was detached and attached, copied or moved meanwhile.
CREATE TABLE updated (p UInt64, i UInt64, v UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO updated SELECT number, 1, 10 FROM numbers(3);
SYSTEM STOP MERGES updated;
ALTER TABLE updated UPDATE v = 9 WHERE 1 SETTINGS mutations_sync = 0;
ALTER TABLE updated DETACH PARTITION 1;
ALTER TABLE updated ATTACH PARTITION 1;
CREATE TABLE moved AS updated;
ALTER TABLE updated MOVE PARTITION 2 TO TABLE moved;
SYSTEM START MERGES updated;

-- wait until
SELECT count() = 0 FROM system.mutations WHERE database = currentDatabase() AND NOT is_done;

-- expected: 0, 9
SELECT p, v FROM updated WHERE p = 0;

-- expected: 1, 9
-- observed: 1, 10
SELECT p, v FROM updated WHERE p = 1;

-- expected: 2, 9
-- observed: 2, 10
SELECT p, v FROM moved;

-- A column that is renamed is empty, one that is dropped comes back.
CREATE TABLE renamed (i UInt64, v UInt64, w UInt64) ENGINE = MergeTree ORDER BY i;
INSERT INTO renamed VALUES (1, 11, 21);
SYSTEM STOP MERGES renamed;
ALTER TABLE renamed RENAME COLUMN v TO x, DROP COLUMN w SETTINGS alter_sync = 0, mutations_sync = 0;

-- expected: 1, 11
SELECT * FROM renamed;

ALTER TABLE renamed DETACH PARTITION tuple();
ALTER TABLE renamed ATTACH PARTITION tuple();
ALTER TABLE renamed ADD COLUMN w UInt64 DEFAULT 7;

-- expected: 1, 11, 7
-- observed: 1, 0, 21
SELECT * FROM renamed;
