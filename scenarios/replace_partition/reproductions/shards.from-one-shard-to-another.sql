-- A table on another shard can be named neither as the source nor as the destination: remote() stands for it here.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);
CREATE TABLE distant AS remote('127.0.0.1', currentDatabase(), source);

-- expected: accepted
-- observed: refused with code 48
ALTER TABLE destination REPLACE PARTITION 1 FROM distant;

-- expected: accepted
-- observed: refused with code 48
ALTER TABLE distant REPLACE PARTITION 1 FROM destination;
