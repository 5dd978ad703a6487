-- An insert into a bucket that does not exist: it is the upload that fails.
-- fragments: lake
CREATE TABLE visits (year UInt16, x UInt8)
ENGINE = S3(lake_no_bucket, filename = 'visits', format = CSV, partition_strategy = 'hive')
PARTITION BY year SETTINGS s3_retry_attempts = 1;

-- expected: refused with code 499: Failed to check existence of key
-- observed: refused with code 499: The specified bucket does not exist
INSERT INTO visits VALUES (2022, 1);
