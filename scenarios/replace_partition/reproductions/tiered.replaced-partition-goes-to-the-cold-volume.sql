-- fragments: disks tidy
-- Parts of a source without the TTL do not have its times, and no TTL of the destination moves them.
CREATE TABLE source (p UInt64, time DateTime) ENGINE = MergeTree PARTITION BY p ORDER BY time SETTINGS storage_policy = 'tiered';
CREATE TABLE destination (p UInt64, time DateTime) ENGINE = MergeTree PARTITION BY p ORDER BY time TTL time TO VOLUME 'cold' SETTINGS storage_policy = 'tiered';
INSERT INTO source VALUES (1, now() - 600);
ALTER TABLE destination REPLACE PARTITION 1 FROM source;
INSERT INTO destination VALUES (2, now() + 1);
SELECT sleep(3) FORMAT Null;
SELECT sleep(3) FORMAT Null;

-- expected: 1, two
-- expected: 2, two
-- observed: 1, one
-- observed: 2, two
SELECT partition, disk_name FROM system.parts WHERE database = currentDatabase() AND table = 'destination' AND active ORDER BY partition;
