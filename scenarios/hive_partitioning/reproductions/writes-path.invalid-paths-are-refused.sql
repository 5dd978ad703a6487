-- Addresses that are none: each is refused, with a message of its own.

-- expected: refused: Invalid S3 key
-- observed: refused with code 1000: Bad URI syntax
CREATE TABLE no_address (year UInt16, x UInt8)
ENGINE = S3('not an address', NOSIGN, 'CSV', partition_strategy = 'hive') PARTITION BY year;

-- expected: refused: Invalid S3 key
-- observed: refused with code 36: Bucket name length is out of bounds
CREATE TABLE no_bucket (year UInt16, x UInt8)
ENGINE = S3('http://localhost:9000/', NOSIGN, 'CSV', partition_strategy = 'hive') PARTITION BY year;

-- expected: refused: Invalid S3 key
-- observed: refused with code 36: Unknown protocol in the URL
CREATE TABLE other_protocol (year UInt16, x UInt8)
ENGINE = S3('ftp://localhost:9000/bucket/x', NOSIGN, 'CSV', partition_strategy = 'hive') PARTITION BY year;
