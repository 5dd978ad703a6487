-- CLEAR INDEX IN PARTITION, issued while REPLACE PARTITION of that partition runs, leaves the index of the new parts.
CREATE TABLE source (p UInt64, i UInt64, owner String, INDEX numbers i TYPE minmax GRANULARITY 1) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- It reads its source at 100 bytes a second, so that it lasts some seconds.
-- background replace
ALTER TABLE destination REPLACE PARTITION 1 FROM source SETTINGS max_local_read_bandwidth = 100;

-- wait until
SELECT count() FROM system.processes
WHERE query_kind = 'Alter' AND current_database = currentDatabase() AND ProfileEvents['QueryLocalReadThrottlerBytes'] > 0;

ALTER TABLE destination CLEAR INDEX numbers IN PARTITION 1 SETTINGS mutations_sync = 0, alter_sync = 0;

-- wait for replace
-- wait until
SELECT min(is_done) FROM system.mutations WHERE database = currentDatabase() AND table = 'destination';

-- expected: 0
-- observed: 1
SELECT secondary_indices_compressed_bytes > 0 FROM system.parts
WHERE database = currentDatabase() AND table = 'destination' AND active;
