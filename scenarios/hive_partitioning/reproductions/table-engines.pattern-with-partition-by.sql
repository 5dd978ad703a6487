-- A table over a pattern with a PARTITION BY clause is refused by 26.7.
-- fragments: lake
-- expected: accepted
-- observed: refused with code 36
CREATE TABLE pattern (d UInt16, x UInt8) ENGINE = S3(lake, filename = 'pattern/**.tsv', format = 'TSV') PARTITION BY d;

-- expected: accepted
CREATE TABLE plain (d UInt16, x UInt8) ENGINE = S3(lake, filename = 'pattern/**.tsv', format = 'TSV');
