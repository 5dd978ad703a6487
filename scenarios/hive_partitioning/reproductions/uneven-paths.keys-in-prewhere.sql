-- PREWHERE takes a column of the files, and refuses a key of their paths.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('prewhere/year=2020/a.parquet', Parquet, 'id UInt32') VALUES (1);
CREATE TABLE visits (id UInt32) ENGINE = File(Parquet, 'prewhere/*/a.parquet');

-- expected: 1, 2020
SELECT id, year FROM visits PREWHERE id = 1;

-- expected: 1, 2020
-- observed: refused with code 182
SELECT id, year FROM visits PREWHERE year = 2020;
