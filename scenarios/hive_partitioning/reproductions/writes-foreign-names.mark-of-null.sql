-- A directory as Spark names it for rows without a city.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('trips/city=__HIVE_DEFAULT_PARTITION__/a.tsv', TSV, 'id UInt32') VALUES (1);

-- expected: \N
-- observed: __HIVE_DEFAULT_PARTITION__
SELECT city FROM file('trips/*/a.tsv', TSV, 'id UInt32, city Nullable(String)');

-- expected: \N
-- observed: __HIVE_DEFAULT_PARTITION__
SELECT city FROM file('trips/*/a.tsv', TSV, 'id UInt32');
