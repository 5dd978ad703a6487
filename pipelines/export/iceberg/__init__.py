"""Tables of Apache Iceberg over exported files; the only user of pyiceberg, which is an extra.

Entry point: `registration.Registration`, with `check` before an export and `register` after it.
Known weakness: a reader of an old snapshot fails while an overwrite is under way.
"""
