"""Data sets made of nothing but a seed: hive-partitioned Parquet of any size, the same every time.

Entry point: `data_set.generate`.
"""
