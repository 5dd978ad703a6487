"""The table engine ReplacingMergeTree, specified by SRS-101."""
