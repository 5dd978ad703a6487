-- The rows of the active parts add up to more than the table has, after a lightweight DELETE and after an UPDATE.
CREATE TABLE deleted (p UInt64, i UInt64, v UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1;
CREATE TABLE updated AS deleted;
INSERT INTO deleted SELECT 1, number, 0 FROM numbers(10);
INSERT INTO updated SELECT 1, number, 0 FROM numbers(10);

DELETE FROM deleted WHERE i = 0;
UPDATE updated SET v = 1 WHERE i < 5;

-- expected: 9
SELECT count() FROM deleted;

-- expected: 9
-- observed: 10
SELECT sum(rows) FROM system.parts WHERE database = currentDatabase() AND table = 'deleted' AND active;

-- expected: 10
SELECT count() FROM updated;

-- expected: 10
-- observed: 15
SELECT sum(rows) FROM system.parts WHERE database = currentDatabase() AND table = 'updated' AND active;
