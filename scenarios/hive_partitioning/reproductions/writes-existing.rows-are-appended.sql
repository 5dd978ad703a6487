-- A second insert into a partition makes a second object, whatever the settings say.
-- fragments: lake
CREATE TABLE visits (year UInt16, x UInt8)
ENGINE = S3(lake, filename = 'appended', format = CSV, partition_strategy = 'hive') PARTITION BY year;
INSERT INTO visits VALUES (2022, 1);
INSERT INTO visits VALUES (2022, 2);
INSERT INTO visits SETTINGS s3_truncate_on_insert = 1 VALUES (2022, 3);

-- expected: 3, 1
-- observed: 3, 3
SELECT count(), uniqExact(_path) FROM visits;
