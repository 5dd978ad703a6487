-- Conditions that exclude the year 2021 by what they mean: all files are read for them.
SET engine_file_truncate_on_insert = 1;
INSERT INTO FUNCTION file('implied/year=2020/a.tsv', TSV, 'id UInt32') VALUES (1);
INSERT INTO FUNCTION file('implied/year=2021/a.tsv', TSV, 'id UInt32') VALUES (4);
INSERT INTO FUNCTION file('implied/year=2022/a.tsv', TSV, 'id UInt32') VALUES (9);

SELECT id FROM file('implied/*/a.tsv', TSV, 'id UInt32') WHERE year != 2021 AND id != 1 SETTINGS log_comment = '1';
SELECT id FROM file('implied/*/a.tsv', TSV, 'id UInt32') WHERE NOT (year = 2021 OR id = 1) SETTINGS log_comment = '2';
SELECT id FROM file('implied/*/a.tsv', TSV, 'id UInt32') WHERE (year, id) IN ((2021, 4), (2022, 9)) SETTINGS log_comment = '3';
SELECT id FROM file('implied/*/a.tsv', TSV, 'id UInt32') WHERE if(year = 2021, id = 4, 0) SETTINGS log_comment = '4';
SYSTEM FLUSH LOGS query_log;

-- expected: 1, 2
-- expected: 2, 2
-- expected: 3, 2
-- expected: 4, 1
-- observed: 1, 2
-- observed: 2, 3
-- observed: 3, 3
-- observed: 4, 3
SELECT log_comment, ProfileEvents['EngineFileLikeReadFiles'] FROM system.query_log
WHERE type = 'QueryFinish' AND current_database = currentDatabase() AND log_comment != '' ORDER BY log_comment;
