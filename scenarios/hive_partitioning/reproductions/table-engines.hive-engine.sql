-- The engine is no longer there.

-- expected: accepted
-- observed: refused with code 56: Unknown table engine Hive
CREATE TABLE visits (id UInt32, year UInt16) ENGINE = Hive('thrift://localhost:9083', 'default', 'visits') PARTITION BY year;
