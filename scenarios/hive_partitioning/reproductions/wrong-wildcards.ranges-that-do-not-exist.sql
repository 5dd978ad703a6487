-- Of the range one number is there; the second range is the wrong way round.
-- fragments: lake
SET s3_truncate_on_insert = 1;
INSERT INTO FUNCTION s3(lake, filename = 'ranges/day=1/a.tsv', format = TSV, structure = 'id UInt32') VALUES (1);

-- expected: refused
-- observed: 1
SELECT id FROM s3(lake, filename = 'ranges/day={1..9}/a.tsv', format = TSV, structure = 'id UInt32');

-- expected: refused
-- observed: 1
SELECT id FROM s3(lake, filename = 'ranges/day={1..0}/a.tsv', format = TSV, structure = 'id UInt32');
