-- Tables that are created with one value of the setting and read with the other.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('setting/year=2020/a.tsv', TSV, 'id UInt32') VALUES (1);
CREATE TABLE made_with (id UInt32) ENGINE = File(TSV, 'setting/*/a.tsv') SETTINGS use_hive_partitioning = 1;
SET use_hive_partitioning = 0;
CREATE TABLE made_without (id UInt32) ENGINE = File(TSV, 'setting/*/a.tsv');

-- expected: refused with code 47
-- observed: refused with code 49
SELECT id, year FROM made_with SETTINGS use_hive_partitioning = 0;

-- expected: 1, 2020
-- observed: refused with code 47
SELECT id, year FROM made_without SETTINGS use_hive_partitioning = 1;
