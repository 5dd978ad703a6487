"""Verbs for hive-partitioned data: folders of a store, queries over them, inserts into them.

Entry points: `sources` (the ways a server reads a folder), `queries` (a query and the files it read),
`writes` (tables that write folders), `objects` (what lies in the store), `pruning` (proof that files were
left unread).
"""
