-- Types that are not supported: one is refused with another message, one is accepted.
-- fragments: lake

-- expected: refused with code 36: Hive partitioning supports only partition columns of types
CREATE TABLE by_float (k Float64, x UInt8)
ENGINE = S3(lake, filename = 'by_float', format = CSV, partition_strategy = 'hive') PARTITION BY k;

-- expected: refused with code 36: Hive partitioning supports only partition columns of types
-- observed: refused with code 549
CREATE TABLE by_json (k JSON, x UInt8)
ENGINE = S3(lake, filename = 'by_json', format = CSV, partition_strategy = 'hive') PARTITION BY k;

-- expected: refused with code 36: Hive partitioning supports only partition columns of types
-- observed: accepted
CREATE TABLE by_maximum (k SimpleAggregateFunction(max, UInt64), x UInt8)
ENGINE = S3(lake, filename = 'by_maximum', format = CSV, partition_strategy = 'hive') PARTITION BY k;
