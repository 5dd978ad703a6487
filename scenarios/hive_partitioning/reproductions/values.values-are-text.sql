-- Types are inferred from values, and values that do not fit the first ones are refused.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('text/key=007/a.tsv', TSV, 'id UInt32') VALUES (1);
INSERT INTO FUNCTION file('date/key=2024-01-01/a.tsv', TSV, 'id UInt32') VALUES (1);
INSERT INTO FUNCTION file('mixed/key=5/a.tsv', TSV, 'id UInt32') VALUES (1);
INSERT INTO FUNCTION file('mixed/key=a/a.tsv', TSV, 'id UInt32') VALUES (2);

-- expected: LowCardinality(String), 007
-- observed: Int64, 7
SELECT toTypeName(key), key FROM file('text/*/a.tsv', TSV, 'id UInt32');

-- expected: LowCardinality(String), 2024-01-01
-- observed: Date, 2024-01-01
SELECT toTypeName(key), key FROM file('date/*/a.tsv', TSV, 'id UInt32');

-- expected: 5
-- expected: a
-- observed: refused with code 53
SELECT key FROM file('mixed/{key=5,key=a}/a.tsv', TSV, 'id UInt32') ORDER BY id;
