-- An insert is killed while it writes its objects: it is answered as cancelled, and all objects are there.
-- fragments: lake
-- attempts: 3
CREATE TABLE visits (k UInt16, x UInt16)
ENGINE = S3(lake, filename = 'killed', format = TSV, partition_strategy = 'hive') PARTITION BY k;

-- background insert
INSERT INTO visits SELECT number, number FROM numbers(400); -- { serverError 394 }
-- wait until
SELECT count() > 0 FROM s3(lake, filename = 'killed/**', format = One);
KILL QUERY WHERE query_kind = 'Insert' AND current_database = currentDatabase() ASYNC;

-- wait for insert
-- expected: no objects are left
-- observed: all objects are left
SELECT if(count() = 0, 'no', if(count() % 400 = 0, 'all', 'some')) || ' objects are left'
FROM s3(lake, filename = 'killed/**', format = One);
