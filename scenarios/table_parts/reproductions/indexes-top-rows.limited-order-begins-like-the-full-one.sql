-- The largest values of a column with nan, found by a skip index, are not the largest.
CREATE TABLE ordered (i UInt8, v Float64, INDEX small v TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY i
SETTINGS index_granularity = 2;
INSERT INTO ordered VALUES (1, nan), (2, nan), (3, nan), (4, 5), (5, 6), (6, nan), (7, 0), (8, 0);

-- expected: 6
-- expected: 5
-- observed: 6
-- observed: nan
SELECT v FROM ordered ORDER BY v DESC LIMIT 2;

-- expected: 6
-- expected: 5
SELECT v FROM ordered ORDER BY v DESC LIMIT 2 SETTINGS use_skip_indexes_for_top_k = 0;
