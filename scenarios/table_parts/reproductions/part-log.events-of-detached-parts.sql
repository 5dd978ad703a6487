-- An attached part has no event of its own, and the empty part that replaces a detached one has one as if inserted.
CREATE TABLE parts (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i;
INSERT INTO parts VALUES (1, 1);
ALTER TABLE parts DETACH PART '1_1_1_0';
ALTER TABLE parts ATTACH PART '1_1_1_0';
SYSTEM FLUSH LOGS;

-- expected: 1_1_1_0, 1
-- expected: 1_2_2_0, 1
-- observed: 1_1_1_0, 1
-- observed: 1_1_1_1, 0
SELECT part_name, rows FROM system.part_log WHERE database = currentDatabase() AND event_type = 'NewPart' ORDER BY part_name;
