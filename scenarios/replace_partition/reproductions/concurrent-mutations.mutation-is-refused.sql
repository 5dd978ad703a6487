-- A mutation of the partition is accepted while REPLACE PARTITION of it runs.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- It reads its source at 100 bytes a second, so that it lasts some seconds.
-- background replace
ALTER TABLE destination REPLACE PARTITION 1 FROM source SETTINGS max_local_read_bandwidth = 100;

-- wait until
SELECT count() FROM system.processes
WHERE query_kind = 'Alter' AND current_database = currentDatabase() AND ProfileEvents['QueryLocalReadThrottlerBytes'] > 0;

-- expected: refused
-- observed: accepted
ALTER TABLE destination UPDATE owner = 'changed' IN PARTITION 1 WHERE 1 SETTINGS mutations_sync = 0, alter_sync = 0;
