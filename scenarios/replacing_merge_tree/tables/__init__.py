"""Creating ReplacingMergeTree tables, and changing their columns."""
