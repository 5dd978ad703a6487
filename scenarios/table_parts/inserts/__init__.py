"""Which parts an INSERT makes."""
