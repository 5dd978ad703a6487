-- Strategies that are none of hive and auto.
-- fragments: lake

-- expected: refused with code 36: Unknown partitioning style
-- observed: refused with code 36: Partition strategy wrong is not supported
CREATE TABLE wrong (year UInt16, x UInt8)
ENGINE = S3(lake, filename = 'wrong', format = CSV, partition_strategy = 'wrong') PARTITION BY year;

-- expected: refused with code 36: Unknown partitioning style
-- observed: accepted
CREATE TABLE wildcard (year UInt16, x UInt8)
ENGINE = S3(lake, filename = 'wildcard/{_partition_id}', format = CSV, partition_strategy = 'wildcard') PARTITION BY year;
