-- The strategy auto is unknown, and a table without a strategy is written hive-style.
-- fragments: lake

-- expected: accepted
-- observed: refused with code 36: Partition strategy auto is not supported
CREATE TABLE automatic (year UInt16, x UInt8)
ENGINE = S3(lake, filename = 'automatic/{_partition_id}.csv', format = CSV, partition_strategy = 'auto') PARTITION BY year;

CREATE TABLE by_default (year UInt16, x UInt8) ENGINE = S3(lake, filename = 'by_default', format = CSV) PARTITION BY year;
INSERT INTO by_default VALUES (2022, 1);

-- expected: by_default
-- observed: year=2022
SELECT DISTINCT arrayElement(splitByChar('/', _path), -2) FROM s3(lake, filename = 'by_default/**', format = One);
