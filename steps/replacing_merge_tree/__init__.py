"""Verbs for ReplacingMergeTree: tables, histories of rows, and what has to be left of them.

Entry points: `tables`, `history` (random rows of known fate), `survivor_rules` (the rules of the engine in
Python), `final_reads` (the ways to read the last row of each key), `spark_oracle` (the same answer by
Spark).
"""
