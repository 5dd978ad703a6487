-- A text within the limits of length, and one with a tab.
-- fragments: lake
CREATE TABLE texts (k String, x UInt8)
ENGINE = S3(lake, filename = 'texts', format = CSV, partition_strategy = 'hive') PARTITION BY k;

-- expected: accepted
-- observed: refused with code 36: Incorrect key length
INSERT INTO texts SELECT repeat('x', 1023), 1;

-- expected: accepted
-- observed: refused with code 6: Illegal character
INSERT INTO texts VALUES ('a\tb', 1);
