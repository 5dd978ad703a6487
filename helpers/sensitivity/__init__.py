"""Sensitivity: mutants change what the product does, and scenarios have to notice."""
