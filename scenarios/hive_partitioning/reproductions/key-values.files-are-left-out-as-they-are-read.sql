-- Files whose key is the text NULL or null are left out by conditions that are true for it.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('null/k=NULL/a.tsv', TSV, 'id UInt8') VALUES (1);
INSERT INTO FUNCTION file('null/k=null/a.tsv', TSV, 'id UInt8') VALUES (2);
INSERT INTO FUNCTION file('null/k=a/a.tsv', TSV, 'id UInt8') VALUES (3);

-- expected: 2
SELECT countIf(k != 'a') FROM file('null/**', TSV, 'id UInt8, k Nullable(String)');

-- expected: 2
-- observed: 0
SELECT count() FROM file('null/**', TSV, 'id UInt8, k Nullable(String)') WHERE k != 'a';

-- expected: 1
-- observed: 0
SELECT count() FROM file('null/**', TSV, 'id UInt8, k Nullable(String)') WHERE k = 'NULL';

-- expected: 1
SELECT count() FROM file('null/**', TSV, 'id UInt8, k String') WHERE k = 'NULL';
