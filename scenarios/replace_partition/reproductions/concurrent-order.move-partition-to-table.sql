-- MOVE PARTITION TO TABLE brings rows that its source had lost, and leaves those that it had got.
CREATE TABLE one (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE other AS one;
INSERT INTO one SELECT 1, number, 'one' FROM numbers(10);
INSERT INTO other SELECT 1, number, 'other' FROM numbers(10);

-- It reads its source at 250 bytes a second, so that it lasts some seconds.
-- background statement
ALTER TABLE other MOVE PARTITION 1 TO TABLE one SETTINGS max_local_read_bandwidth = 250;

-- wait until
SELECT count() FROM system.processes
WHERE query_kind = 'Alter' AND current_database = currentDatabase() AND ProfileEvents['QueryLocalReadThrottlerBytes'] > 0;

-- It is answered while the first one is still running.
ALTER TABLE other REPLACE PARTITION 1 FROM one;

-- expected: 1
SELECT count() FROM system.processes WHERE query_kind = 'Alter' AND current_database = currentDatabase();

-- If MOVE PARTITION came first the other table got its own rows back, too; if it came last it found none of them.
-- wait for statement
-- expected: 1
-- observed: 0
SELECT (SELECT countIf(owner = 'other') FROM one) = (SELECT countIf(owner = 'other') FROM other);
