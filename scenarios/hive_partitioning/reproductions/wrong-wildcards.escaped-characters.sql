-- A name with a brace, which a backslash before the brace does not lead to.
-- fragments: lake
SET s3_truncate_on_insert = 1;
INSERT INTO FUNCTION s3(lake, filename = 'escaped/k=}/a.tsv', format = TSV, structure = 'id UInt32') VALUES (1);

-- expected: 1
SELECT id FROM s3(lake, filename = 'escaped/k=}/a.tsv', format = TSV, structure = 'id UInt32');

-- expected: 1
-- observed: refused with code 499
SELECT id FROM s3(lake, filename = 'escaped/k=\\}/a.tsv', format = TSV, structure = 'id UInt32');
