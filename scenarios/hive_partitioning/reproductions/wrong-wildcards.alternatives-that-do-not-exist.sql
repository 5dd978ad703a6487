-- One alternative of the list is not there. With another pattern in the path nobody misses it.
-- fragments: lake
SET s3_truncate_on_insert = 1;
INSERT INTO FUNCTION s3(lake, filename = 'alternatives/day=1/a.tsv', format = TSV, structure = 'id UInt32') VALUES (1);

-- expected: refused with code 499
SELECT id FROM s3(lake, filename = 'alternatives/day={1,99}/a.tsv', format = TSV, structure = 'id UInt32');

-- expected: refused with code 499
-- observed: 1
SELECT id FROM s3(lake, filename = 'alternatives/day={1,99}/*.tsv', format = TSV, structure = 'id UInt32');
