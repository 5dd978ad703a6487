-- FINAL loses the row of a key NULL in its lazy mode, and returns a superseded row of zeros in two partitions.
CREATE TABLE nulls (k Nullable(Int64), v String, version UInt8) ENGINE = ReplacingMergeTree(version) ORDER BY k
SETTINGS allow_nullable_key = 1;
SYSTEM STOP MERGES nulls;
INSERT INTO nulls VALUES (NULL, 'old', 1), (2, 'one', 1);
INSERT INTO nulls VALUES (NULL, 'new', 2);

-- expected: new
SELECT v FROM nulls FINAL WHERE v != 'one' SETTINGS query_plan_optimize_lazy_final = 0;

-- expected: new
-- observed: accepted
SELECT v FROM nulls FINAL WHERE v != 'one' SETTINGS query_plan_optimize_lazy_final = 1;

CREATE TABLE zeros (k Float64, v String, version UInt8) ENGINE = ReplacingMergeTree(version) PARTITION BY k ORDER BY k
SETTINGS allow_floating_point_partition_key = 1;
INSERT INTO zeros VALUES (0.0, 'old', 1);
INSERT INTO zeros VALUES (-0.0, 'new', 2);

-- expected: new
SELECT v FROM zeros FINAL SETTINGS enable_automatic_decision_for_merging_across_partitions_for_final = 0;

-- expected: new
-- observed: new
-- observed: old
SELECT v FROM zeros FINAL ORDER BY v;
