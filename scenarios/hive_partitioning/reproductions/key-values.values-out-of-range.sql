-- Values that the type cannot hold become other values, or an error that does not name them.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('large/k=99999999999999999999/a.tsv', TSV, 'id UInt8') VALUES (1);
INSERT INTO FUNCTION file('late/k=2200-01-01/a.tsv', TSV, 'id UInt8') VALUES (1);
INSERT INTO FUNCTION file('byte/k=256/a.tsv', TSV, 'id UInt8') VALUES (1);

-- expected: refused
-- observed: 7766279631452241919
SELECT k FROM file('large/*/a.tsv', TSV, 'id UInt8, k UInt64');

-- expected: refused
-- observed: 2149-06-06
SELECT k FROM file('late/*/a.tsv', TSV, 'id UInt8, k Date');

-- expected: refused: 256
-- observed: refused with code 170
SELECT k FROM file('byte/*/a.tsv', TSV, 'id UInt8, k UInt8');
