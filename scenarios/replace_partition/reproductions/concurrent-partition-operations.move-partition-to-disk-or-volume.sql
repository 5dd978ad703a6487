-- MOVE PARTITION TO DISK, issued while REPLACE PARTITION of that partition runs, moves the old parts: the new
-- ones stay where they are.
-- fragments: policies
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS storage_policy = 'left_then_right';
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- It reads its source at 100 bytes a second, so that it lasts some seconds.
-- background replace
ALTER TABLE destination REPLACE PARTITION 1 FROM source SETTINGS max_local_read_bandwidth = 100;

-- wait until
SELECT count() FROM system.processes
WHERE query_kind = 'Alter' AND current_database = currentDatabase() AND ProfileEvents['QueryLocalReadThrottlerBytes'] > 0;

ALTER TABLE destination MOVE PARTITION 1 TO DISK 'right';

-- Has the statement waited for REPLACE PARTITION?
-- expected: 0
-- observed: 1
SELECT count() AS running FROM system.processes
WHERE query_kind = 'Alter' AND query LIKE '%FROM source%' AND current_database = currentDatabase();

-- wait for replace
-- expected: right
-- observed: left
SELECT disk_name FROM system.parts WHERE database = currentDatabase() AND table = 'destination' AND active;
