-- Where no structure is given, SELECT * has the key of the path.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('inferred_structure/year=2020/a.tsv', TSV, 'id UInt32') VALUES (1);

-- expected: 1
SELECT * FROM file('inferred_structure/*/a.tsv', TSV, 'id UInt32');

-- expected: 1
-- observed: 1, 2020
SELECT * FROM file('inferred_structure/*/a.tsv', TSV);
