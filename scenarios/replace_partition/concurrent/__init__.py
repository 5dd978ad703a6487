"""REPLACE PARTITION while something else happens: merges, mutations, statements, readers."""
