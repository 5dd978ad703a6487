"""Faults between a server and what it depends on, made on purpose and healed at the end of a block."""
