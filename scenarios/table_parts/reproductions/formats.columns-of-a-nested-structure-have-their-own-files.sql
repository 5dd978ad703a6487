-- The lengths of a Nested structure's arrays are stored once: in a file that both columns read.
CREATE TABLE nested (i UInt64, n Nested(a UInt64, b UInt64)) ENGINE = MergeTree ORDER BY i
SETTINGS min_rows_for_wide_part = 0, min_bytes_for_wide_part = 0;
INSERT INTO nested SELECT number, [1, 2], [3, 4] FROM numbers(10);

-- expected: n.a, n%2Ea.size0
-- expected: n.b, n%2Eb.size0
-- observed: n.a, n.size0
-- observed: n.b, n.size0
SELECT column, arrayJoin(filenames) AS file FROM system.parts_columns
WHERE database = currentDatabase() AND table = 'nested' AND active AND file LIKE '%size0' ORDER BY column;
