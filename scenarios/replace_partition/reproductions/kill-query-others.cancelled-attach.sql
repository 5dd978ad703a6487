-- The client of a killed ATTACH PARTITION FROM is told that it was cancelled, and it took effect.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'source' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'destination' FROM numbers(10);

-- It reads its source at 100 bytes a second, so that it lasts some seconds.
-- background statement
ALTER TABLE destination ATTACH PARTITION 1 FROM source SETTINGS max_local_read_bandwidth = 100; -- { serverError 394 }

-- wait until
SELECT count() FROM system.processes
WHERE query_kind = 'Alter' AND current_database = currentDatabase() AND ProfileEvents['QueryLocalReadThrottlerBytes'] > 0;

KILL QUERY WHERE query_kind = 'Alter' AND current_database = currentDatabase() ASYNC;

-- The client is told 394, QUERY_WAS_CANCELLED.
-- wait for statement
-- expected: destination, 10
-- observed: destination, 10
-- observed: source, 10
SELECT owner, count() FROM destination GROUP BY owner ORDER BY owner;
