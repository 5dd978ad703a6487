"""Known deviations of ClickHouse: the marks of the scenarios, the SQL that reproduces them, their document.

Entry points: `known.known_deviations`, `reproduction.read_reproduction`, `document.render`.
"""
