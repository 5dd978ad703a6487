-- DETACH PARTITION, issued while REPLACE PARTITION of that partition runs, takes the old rows and not the new ones.
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

ALTER TABLE destination DETACH PARTITION 1;

-- Has the statement waited for REPLACE PARTITION?
-- expected: 0
-- observed: 1
SELECT count() AS running FROM system.processes
WHERE query_kind = 'Alter' AND query LIKE '%FROM source%' AND current_database = currentDatabase();

-- wait for replace
-- expected: 0
-- observed: 10
SELECT count() FROM destination;
