-- The parameter is for the strategy hive, and accepted without it.
-- fragments: lake

-- expected: refused
-- observed: accepted
CREATE TABLE without_strategy (year UInt16, x UInt8)
ENGINE = S3(lake, filename = 'parameter', format = CSV, partition_columns_in_data_file = 0) PARTITION BY year;

-- expected: refused
-- observed: accepted
CREATE TABLE with_pattern (year UInt16, x UInt8)
ENGINE = S3(lake, filename = 'parameter/{_partition_id}', format = CSV, partition_columns_in_data_file = 1) PARTITION BY year;
