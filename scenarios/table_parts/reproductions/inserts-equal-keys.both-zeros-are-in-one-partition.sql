-- The partition of a zero depends on the rows that are inserted with it.
CREATE TABLE zeros (f Float64, i UInt8) ENGINE = MergeTree PARTITION BY f ORDER BY i
SETTINGS allow_floating_point_partition_key = 1;
INSERT INTO zeros VALUES (0.0, 1), (-0.0, 2);
INSERT INTO zeros VALUES (-0.0, 3), (0.0, 4);

-- expected: 1
-- observed: 2
SELECT uniqExact(_partition_id) FROM zeros WHERE f = 0;

ALTER TABLE zeros DROP PARTITION 0.0;

-- expected: 0
-- observed: 2
SELECT count() FROM zeros WHERE f = 0;
