-- A clause that names no column.
-- fragments: lake

-- expected: refused with code 36
-- observed: accepted
CREATE TABLE visits (year UInt16, x UInt8)
ENGINE = S3(lake, filename = 'no_columns', format = CSV, partition_strategy = 'hive') PARTITION BY tuple();
INSERT INTO visits VALUES (2022, 1);

-- expected: refused
-- observed: no_columns
SELECT DISTINCT arrayElement(splitByChar('/', _path), -2) FROM s3(lake, filename = 'no_columns/**', format = One);
