"""What the benches of the explorer share: a server of their own, and mutants of single statements."""
