"""Tests of the embedded cluster and of the query API, on real servers."""
