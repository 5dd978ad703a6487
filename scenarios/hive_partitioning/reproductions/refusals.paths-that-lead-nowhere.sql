-- A path without an object, and a pattern that matches none.
-- fragments: lake

-- expected: refused: Failed to check existence of a key
-- observed: refused with code 499: Failed to get object info
SELECT id FROM s3(lake, filename = 'nothing/year=2020/a.tsv', format = TSV, structure = 'id UInt32');

-- expected: refused: Failed to check existence of a key
-- observed: accepted
SELECT id FROM s3(lake, filename = 'nothing/year=*/*.tsv', format = TSV, structure = 'id UInt32');
