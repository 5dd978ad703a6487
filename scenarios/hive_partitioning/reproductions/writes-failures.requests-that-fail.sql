-- The object of one partition cannot be written: the insert is refused, and the objects of others stay.
-- fragments: lake
-- attempts: 10
CREATE TABLE visits (k UInt8, x String)
ENGINE = S3(lake, filename = 'failed', format = Parquet, partition_strategy = 'hive') PARTITION BY k;

INSERT INTO visits SELECT number, randomPrintableASCII(if(number = 5, 4000000, 1)) FROM numbers(10)
SETTINGS s3_max_part_number = 1, s3_min_upload_part_size = 1000000, s3_max_single_part_upload_size = 0; -- { serverError 318 }

-- expected: no objects are left
-- observed: some objects are left
SELECT if(count() = 0, 'no', 'some') || ' objects are left' FROM s3(lake, filename = 'failed/**', format = One);
