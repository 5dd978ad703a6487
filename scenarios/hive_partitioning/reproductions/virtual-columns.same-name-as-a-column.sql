-- The file says 2020-12-31 and its path 2024-01-01.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('conflict/date=2024-01-01/a.json', JSONEachRow, 'id UInt32, date Date')
SELECT 1, toDate('2020-12-31');

-- expected: 2020-12-31
SELECT date FROM file('conflict/*/a.json', JSONEachRow, 'id UInt32, date Date') SETTINGS use_hive_partitioning = 0;

-- expected: 2020-12-31
-- observed: 2024-01-01
SELECT date FROM file('conflict/*/a.json', JSONEachRow, 'id UInt32, date Date');
