"""Parts outside the table's data: detached, broken, frozen."""
