-- Parts are wide from ten rows on. A mutation and merges leave fewer rows, and write wide parts all the same.
CREATE TABLE mutated (p UInt64, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i
SETTINGS min_rows_for_wide_part = 10, min_bytes_for_wide_part = 0;
CREATE TABLE replaced (p UInt64, i UInt64) ENGINE = ReplacingMergeTree PARTITION BY p ORDER BY i
SETTINGS min_rows_for_wide_part = 10, min_bytes_for_wide_part = 0;
INSERT INTO mutated SELECT 1, number FROM numbers(10);
INSERT INTO replaced SELECT 1, number FROM numbers(6);
INSERT INTO replaced SELECT 1, number FROM numbers(6);

ALTER TABLE mutated DELETE WHERE i >= 3 SETTINGS mutations_sync = 2;
OPTIMIZE TABLE replaced FINAL;

-- expected: 3, Compact
-- observed: 3, Wide
SELECT rows, part_type FROM system.parts WHERE database = currentDatabase() AND table = 'mutated' AND active;

-- expected: 6, Compact
-- observed: 6, Wide
SELECT rows, part_type FROM system.parts WHERE database = currentDatabase() AND table = 'replaced' AND active;
