-- The text a:b, whose directory is k=a%3Ab for Hive and Spark.
-- fragments: lake
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('by_spark/k=a%3Ab/a.tsv', TSV, 'id UInt32') VALUES (1);
CREATE TABLE texts (k String, x UInt8)
ENGINE = S3(lake, filename = 'by_clickhouse', format = TSV, partition_strategy = 'hive') PARTITION BY k;
INSERT INTO texts VALUES ('a:b', 1);

-- expected: a:b
-- observed: a%3Ab
SELECT k FROM file('by_spark/*/a.tsv', TSV, 'id UInt32');

-- expected: k=a%3Ab
-- observed: k=a:b
SELECT DISTINCT arrayElement(splitByChar('/', _path), -2) FROM s3(lake, filename = 'by_clickhouse/**', format = One);
