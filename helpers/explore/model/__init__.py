"""The model of the explorer: what tables, partitions and parts are after a history. Pure: no server.

Entry points: `tables`, `transitions`, `linearize` (is there an order that explains what clients saw?).
"""
