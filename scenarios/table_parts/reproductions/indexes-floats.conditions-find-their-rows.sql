-- Parts and granules are left out that have rows of the answer: those with nan, and with the other zero.
CREATE TABLE by_partition (f Float64, i UInt8) ENGINE = MergeTree PARTITION BY f > 3 ORDER BY i;
INSERT INTO by_partition VALUES (nan, 1), (1, 2), (5, 3);

-- expected: 1
SELECT countIf(NOT f <= 9) FROM by_partition;

-- expected: 1
-- observed: 0
SELECT count() FROM by_partition WHERE NOT f <= 9;

CREATE TABLE by_key (f Float64) ENGINE = MergeTree PARTITION BY f ORDER BY f
SETTINGS allow_floating_point_partition_key = 1;
INSERT INTO by_key VALUES (-0.0);
INSERT INTO by_key VALUES (1);

-- expected: 2
SELECT countIf(f NOT IN (0.0)) FROM by_key;

-- expected: 2
-- observed: 1
SELECT count() FROM by_key WHERE f NOT IN (0.0);

CREATE TABLE by_minmax (f Float64, i UInt8, INDEX small f TYPE minmax) ENGINE = MergeTree ORDER BY i;
INSERT INTO by_minmax VALUES (nan, 1), (0, 2);

-- expected: 1
-- observed: 0
SELECT count() FROM by_minmax WHERE f != 0;

-- expected: 1
SELECT count() FROM by_minmax WHERE f != 0 SETTINGS use_skip_indexes = 0;

CREATE TABLE by_bloom_filter (f Float64, i UInt8, INDEX small f TYPE bloom_filter) ENGINE = MergeTree ORDER BY i;
INSERT INTO by_bloom_filter VALUES (-0.0, 1);

-- expected: 1
-- observed: 0
SELECT count() FROM by_bloom_filter WHERE f = 0;

-- expected: 1
SELECT count() FROM by_bloom_filter WHERE f = 0 SETTINGS use_skip_indexes = 0;
