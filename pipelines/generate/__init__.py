"""Data sets that a seed decides: hive-partitioned Parquet of any size, equal every time.

Entry points: `data_set.DataSet`, `generated`, `write_to_folder`.
"""
