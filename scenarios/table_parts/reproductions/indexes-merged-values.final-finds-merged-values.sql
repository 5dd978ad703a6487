-- FINAL adds up values, and a skip index knows the values before that.
CREATE TABLE summed (i UInt8, v UInt64, INDEX small v TYPE minmax GRANULARITY 1) ENGINE = SummingMergeTree(v) ORDER BY i
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1;
INSERT INTO summed VALUES (1, 1);
INSERT INTO summed VALUES (1, 3);

-- expected: 1, 4
SELECT * FROM summed FINAL;

-- expected: 1, 4
-- observed: accepted
SELECT * FROM summed FINAL WHERE v = 4;

-- expected: 1, 4
SELECT * FROM summed FINAL WHERE v = 4 SETTINGS use_skip_indexes = 0;
