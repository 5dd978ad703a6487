-- A second REPLACE PARTITION of the same partition does not wait for the first one, which then takes its rows away.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
CREATE TABLE other AS source;
INSERT INTO other SELECT 1, number, 'other' FROM numbers(10);
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- It reads its source at 100 bytes a second, so that it lasts some seconds.
-- background replace
ALTER TABLE destination REPLACE PARTITION 1 FROM source SETTINGS max_local_read_bandwidth = 100;

-- wait until
SELECT count() FROM system.processes
WHERE query_kind = 'Alter' AND current_database = currentDatabase() AND ProfileEvents['QueryLocalReadThrottlerBytes'] > 0;

ALTER TABLE destination REPLACE PARTITION 1 FROM other;

-- Has the statement waited for REPLACE PARTITION?
-- expected: 0
-- observed: 1
SELECT count() AS running FROM system.processes
WHERE query_kind = 'Alter' AND query LIKE '%FROM source%' AND current_database = currentDatabase();

-- wait for replace
-- expected: other, 10
-- observed: new, 10
SELECT owner, count() FROM destination GROUP BY owner ORDER BY owner;
