-- Two files, of which one has the key b in its path and the other has not.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('uneven/a=1/b=2/a.tsv', TSV, 'id UInt32') VALUES (1);
INSERT INTO FUNCTION file('uneven/a=3/a.tsv', TSV, 'id UInt32') VALUES (2);

-- expected: 1, 1
-- expected: 2, 3
SELECT id, a FROM file('uneven/{a=1/b=2,a=3}/a.tsv', TSV, 'id UInt32') ORDER BY id;

-- expected: refused with code 117
-- observed: refused with code 49
SELECT id, b FROM file('uneven/{a=1/b=2,a=3}/a.tsv', TSV, 'id UInt32');

-- expected: refused with code 117
-- observed: refused with code 49
SELECT id FROM file('uneven/{a=1/b=2,a=3}/a.tsv', TSV, 'id UInt32') WHERE b = 2;
