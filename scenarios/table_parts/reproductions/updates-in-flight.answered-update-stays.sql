-- An UPDATE is answered, and gone: another statement wrote the part anew while it ran.
CREATE TABLE updated (i UInt64, v UInt64, w UInt64) ENGINE = MergeTree ORDER BY i
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1;
INSERT INTO updated SELECT number, 1, 1 FROM numbers(3);

-- background update
UPDATE updated SET v = 2 WHERE sleepEachRow(0.9) = 0;

-- wait until
SELECT count() FROM system.processes
WHERE query_kind = 'Update' AND current_database = currentDatabase() AND elapsed > 0.3;

ALTER TABLE updated UPDATE w = 5 WHERE 1 SETTINGS mutations_sync = 2;

-- wait for update
-- expected: 2, 5
-- expected: 2, 5
-- expected: 2, 5
-- observed: 1, 5
-- observed: 1, 5
-- observed: 1, 5
SELECT v, w FROM updated;
