-- An insert with credentials that may only read: it is the upload that is denied.
-- fragments: lake
CREATE TABLE visits (year UInt16, x UInt8)
ENGINE = S3(lake_read_only, filename = 'denied', format = CSV, partition_strategy = 'hive')
PARTITION BY year SETTINGS s3_retry_attempts = 1;

-- expected: refused with code 499: Failed to check existence of key
-- observed: refused with code 499: Access Denied
INSERT INTO visits VALUES (2022, 1);
