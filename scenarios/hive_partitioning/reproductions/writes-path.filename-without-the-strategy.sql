-- The filename is for the strategy hive, and accepted without it.
-- fragments: lake

-- expected: refused
-- observed: accepted
CREATE TABLE visits (year UInt16, x UInt8) ENGINE = S3(lake, filename = 'filename', format = CSV) PARTITION BY year;
