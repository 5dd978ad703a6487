-- A mutation that is in progress in the partition is not waited for: REPLACE PARTITION cuts it short (236, ABORTED).
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- The mutation of the partition stops at a failpoint, and both statements wait for it.
SYSTEM ENABLE FAILPOINT mt_mutate_task_pause_in_prepare;
ALTER TABLE destination UPDATE owner = 'changed' IN PARTITION 1 WHERE 1 SETTINGS mutations_sync = 0, alter_sync = 0;

-- wait until
SELECT count() FROM system.merges WHERE database = currentDatabase() AND table = 'destination' AND is_mutation;

-- background replace
ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- wait until
SELECT count() FROM system.processes WHERE query_kind = 'Alter' AND current_database = currentDatabase();

SYSTEM DISABLE FAILPOINT mt_mutate_task_pause_in_prepare;

-- wait for replace
SYSTEM FLUSH LOGS;

-- wait until
SELECT count() > 0 FROM system.part_log WHERE database = currentDatabase() AND event_type = 'MutatePart';

-- expected: 0
-- observed: 236
SELECT error FROM system.part_log WHERE database = currentDatabase() AND event_type = 'MutatePart' LIMIT 1;
