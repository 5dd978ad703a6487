-- The first value of a key is the text NULL: the keys of all files are NULL.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('inferred/k=NULL/a.tsv', TSV, 'id UInt8') VALUES (1);
INSERT INTO FUNCTION file('inferred/k=a/a.tsv', TSV, 'id UInt8') VALUES (2);

-- expected: a
-- observed: no value
SELECT ifNull(toString(k), 'no value') FROM file('inferred/**', TSV, 'id UInt8') WHERE id = 2;
