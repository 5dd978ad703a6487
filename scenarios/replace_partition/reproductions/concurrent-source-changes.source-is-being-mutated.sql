-- The source's RENAME COLUMN is in progress: its readers see the new name, the destination gets parts without it.
CREATE TABLE source (p UInt64, i UInt64, extra UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source VALUES (1, 1, 5);
INSERT INTO destination VALUES (1, 2, 6);
ALTER TABLE destination RENAME COLUMN extra TO renamed;

-- The mutation stops at a failpoint.
SYSTEM ENABLE FAILPOINT mt_mutate_task_pause_in_prepare;
ALTER TABLE source RENAME COLUMN extra TO renamed SETTINGS mutations_sync = 0, alter_sync = 0;

-- wait until
SELECT count() FROM system.merges WHERE database = currentDatabase() AND table = 'source' AND is_mutation;

-- expected: 1, 5
SELECT i, renamed FROM source;

ALTER TABLE destination REPLACE PARTITION 1 FROM source;
SYSTEM DISABLE FAILPOINT mt_mutate_task_pause_in_prepare;

-- expected: 1, 5
-- observed: 1, 0
SELECT i, renamed FROM destination;
