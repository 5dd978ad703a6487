"""Drawing histories, shortening those that differ, and running workers until the time is over.

Entry points: `workers.run`, `Search`, `PROFILES`.
"""
