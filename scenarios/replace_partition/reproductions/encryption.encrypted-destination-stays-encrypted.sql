-- The clone of a part that is not encrypted stays on its disk, whatever the destination's policy begins with.
-- fragments: encrypted
CREATE TABLE source (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS storage_policy = 'only_plain';
CREATE TABLE destination (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS storage_policy = 'encryption_first';
INSERT INTO source VALUES (1, 1);
INSERT INTO destination VALUES (1, 2);

-- expected: 1
SELECT min(is_encrypted) FROM system.parts AS parts, system.disks AS disks
WHERE disk_name = disks.name AND parts.database = currentDatabase() AND table = 'destination' AND active;

ALTER TABLE destination REPLACE PARTITION 1 FROM source;

-- expected: 1
-- observed: 0
SELECT min(is_encrypted) FROM system.parts AS parts, system.disks AS disks
WHERE disk_name = disks.name AND parts.database = currentDatabase() AND table = 'destination' AND active;
