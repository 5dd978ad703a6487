-- The client of a killed DROP PARTITION is told that it was cancelled, and it took effect.
CREATE TABLE dropped (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO dropped SELECT 1, number FROM numbers(10);

-- A mutation that changes nothing is held, so that the statement waits for it.
SYSTEM ENABLE FAILPOINT mt_mutate_task_pause_in_prepare;
ALTER TABLE dropped DELETE WHERE i = 99 SETTINGS mutations_sync = 0;

-- wait until
SELECT count() FROM system.merges WHERE database = currentDatabase() AND is_mutation;

-- background drop
ALTER TABLE dropped DROP PARTITION 1; -- { serverError 394 }

-- wait until
SELECT count() FROM system.processes WHERE query_kind = 'Alter' AND current_database = currentDatabase();

KILL QUERY WHERE query_kind = 'Alter' AND current_database = currentDatabase() ASYNC;
SYSTEM DISABLE FAILPOINT mt_mutate_task_pause_in_prepare;

-- The client is told 394, QUERY_WAS_CANCELLED.
-- wait for drop
-- expected: 10
-- observed: 0
SELECT count() FROM dropped;
