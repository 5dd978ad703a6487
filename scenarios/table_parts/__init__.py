"""Parts of MergeTree tables, specified by SRS-102."""
