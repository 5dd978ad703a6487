-- A range with a negative bound matches nothing.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('negative/day=-1/a.tsv', TSV, 'id UInt32') VALUES (1);
INSERT INTO FUNCTION file('negative/day=0/a.tsv', TSV, 'id UInt32') VALUES (2);

-- expected: 2
SELECT id FROM file('negative/day={0..1}/a.tsv', TSV, 'id UInt32') ORDER BY id;

-- expected: 1
-- expected: 2
-- observed: accepted
SELECT id FROM file('negative/day={-1..0}/a.tsv', TSV, 'id UInt32') ORDER BY id;
