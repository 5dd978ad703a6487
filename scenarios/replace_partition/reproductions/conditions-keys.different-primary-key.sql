-- Tables of the same sorting key and another primary key: servers of 2018 fail when they read the
-- index of the parts, or take the partition.
CREATE TABLE source (p UInt64, i UInt64, j UInt64) ENGINE = MergeTree PARTITION BY p PRIMARY KEY (i, j) ORDER BY (i, j);
CREATE TABLE shorter (p UInt64, i UInt64, j UInt64) ENGINE = MergeTree PARTITION BY p PRIMARY KEY i ORDER BY (i, j);
CREATE TABLE without (p UInt64, i UInt64, j UInt64) ENGINE = MergeTree PARTITION BY p PRIMARY KEY tuple() ORDER BY (i, j);
INSERT INTO source VALUES (1, 1, 2);
INSERT INTO shorter VALUES (1, 3, 4);
INSERT INTO without VALUES (1, 5, 6);

-- expected: refused with code 36
-- observed: refused with code 4
ALTER TABLE shorter REPLACE PARTITION 1 FROM source;

-- expected: refused with code 36
-- observed: refused with code 33
ALTER TABLE source REPLACE PARTITION 1 FROM shorter;

-- expected: refused with code 36
-- observed: accepted
ALTER TABLE without REPLACE PARTITION 1 FROM source;

-- expected: 1, 5, 6
-- observed: 1, 1, 2
SELECT p, i, j FROM without;
