"""Nodes, object stores and the environments that provide them."""
