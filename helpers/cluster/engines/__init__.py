"""ClickHouse engines of other versions out of wheels: which there are, how they are installed and run.

Entry points: `engine.find_engine`, `wheels`, `offline.OfflineEngine` (engines that cannot listen).
"""
