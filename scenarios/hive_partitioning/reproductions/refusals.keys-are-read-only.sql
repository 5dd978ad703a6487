-- Attempts to write to the key year of a path: each is refused, with a message of its own.
-- fragments: lake
SET s3_truncate_on_insert = 1;
INSERT INTO FUNCTION s3(lake, filename = 'read_only/year=2020/a.tsv', format = TSV, structure = 'id UInt32') VALUES (1);
CREATE TABLE visits (id UInt32) ENGINE = S3(lake, filename = 'read_only/year=2020/a.tsv', format = TSV);

-- expected: refused: Failed to check existence of a key
-- observed: refused with code 16: No such column year
INSERT INTO visits (id, year) VALUES (5, 2020);

-- expected: refused: Failed to check existence of a key
-- observed: refused with code 48: Table engine s3 doesn't support
ALTER TABLE visits UPDATE year = 1 WHERE 1;

-- expected: refused: Failed to check existence of a key
-- observed: refused with code 48: Lightweight updates are not
UPDATE visits SET year = 1 WHERE 1;

-- expected: refused: Failed to check existence of a key
-- observed: refused with code 36: DELETE query is not supported
DELETE FROM visits WHERE year = 2020;

-- expected: refused: Failed to check existence of a key
-- observed: refused with code 10: Wrong column name
ALTER TABLE visits DROP COLUMN year;

-- expected: 1, 2020
SELECT id, year FROM visits;
