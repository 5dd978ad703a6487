"""Nodes, object stores and the environments that provide them."""

# Here and not where they are used, because --help shows them and must not wait for clients to be imported.
DEFAULT_ENVIRONMENT = "embedded"
ENVIRONMENT_NAMES = (DEFAULT_ENVIRONMENT, "docker", "binary", "remote")
FIRST_NODE = "node1"
