-- A backup and a snapshot leave out updates and lightweight deletions that are not merged into the parts.
CREATE TABLE updated (i UInt64, v UInt64) ENGINE = MergeTree ORDER BY i
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1;
INSERT INTO updated VALUES (1, 11), (2, 12), (3, 13);
UPDATE updated SET v = 9 WHERE i = 1;
DELETE FROM updated WHERE i = 2 SETTINGS lightweight_delete_mode = 'lightweight_update_force';

-- expected: 1, 9
-- expected: 3, 13
SELECT * FROM updated ORDER BY i;

BACKUP TABLE updated TO Memory('copy');
RESTORE TABLE updated AS restored FROM Memory('copy');

-- expected: 1, 9
-- expected: 3, 13
-- observed: 1, 11
-- observed: 2, 12
-- observed: 3, 13
SELECT * FROM restored ORDER BY i;
