-- Four clients replace a partition at the same moment, from sources of their own: the rows of several are there.
-- attempts: 20
CREATE TABLE destination (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- Each row is a part of its own: so many parts take some time to be put in place.
SET max_block_size = 1, min_insert_block_size_rows = 1;
CREATE TABLE source1 AS destination;
INSERT INTO source1 SELECT 1, number, 'source1' FROM numbers(100);
CREATE TABLE source2 AS destination;
INSERT INTO source2 SELECT 1, number, 'source2' FROM numbers(100);
CREATE TABLE source3 AS destination;
INSERT INTO source3 SELECT 1, number, 'source3' FROM numbers(100);
CREATE TABLE source4 AS destination;
INSERT INTO source4 SELECT 1, number, 'source4' FROM numbers(100);

-- The mutation of the partition stops at a failpoint, and all clients wait for it.
SYSTEM ENABLE FAILPOINT mt_mutate_task_pause_in_prepare;
ALTER TABLE destination UPDATE owner = 'changed' IN PARTITION 1 WHERE 1 SETTINGS mutations_sync = 0, alter_sync = 0;

-- wait until
SELECT count() FROM system.merges WHERE database = currentDatabase() AND table = 'destination' AND is_mutation;

-- background client1
ALTER TABLE destination REPLACE PARTITION 1 FROM source1;

-- background client2
ALTER TABLE destination REPLACE PARTITION 1 FROM source2;

-- background client3
ALTER TABLE destination REPLACE PARTITION 1 FROM source3;

-- background client4
ALTER TABLE destination REPLACE PARTITION 1 FROM source4;

-- wait until
SELECT count() = 4 FROM system.processes WHERE query_kind = 'Alter' AND current_database = currentDatabase();

SYSTEM DISABLE FAILPOINT mt_mutate_task_pause_in_prepare;

-- wait for client1
-- wait for client2
-- wait for client3
-- wait for client4
-- expected: the rows of one source
-- observed: more rows than one source has
SELECT if(count() = 100, 'the rows of one source', 'more rows than one source has') FROM destination;
