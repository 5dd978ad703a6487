"""A cluster for every module of tests, and a database for every test."""

from __future__ import annotations

from tests.databases import cluster_fixture, node_fixture

cluster = cluster_fixture("module")
node = node_fixture()
