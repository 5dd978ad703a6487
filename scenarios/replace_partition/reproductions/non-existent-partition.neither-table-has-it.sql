-- A partition that neither of the tables has: servers of 2018 accept the statement.
CREATE TABLE source (p UInt64, i UInt64, owner String) ENGINE = MergeTree PARTITION BY p ORDER BY i;
CREATE TABLE destination AS source;
INSERT INTO source SELECT 1, number, 'new' FROM numbers(10);
INSERT INTO destination SELECT 1, number, 'old' FROM numbers(10);

-- expected: refused with code 36
-- observed: accepted
ALTER TABLE destination REPLACE PARTITION 2 FROM source;
