"""How parts come, change and go: names, numbers, mutations, moves, inactive parts."""
