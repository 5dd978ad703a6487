"""The statements on a partition are what their names say."""

from __future__ import annotations

import pytest

from steps.replace_partition import partition_operations as operations
from steps.replace_partition.concurrent_statement import KEYWORD, Operation, keywords

OPERATIONS = {
    f"{family}-{name}": (name, operation)
    for family, table in vars(operations).items()
    if family.isupper() and isinstance(table, dict)
    for name, operation in table.items()
    if isinstance(operation, Operation)
}


@pytest.mark.parametrize(("name", "operation"), OPERATIONS.values(), ids=OPERATIONS.keys())
def test_name_has_the_keywords_of_the_statement(name: str, operation: Operation) -> None:
    assert keywords(operation.sql) == KEYWORD.findall(name)


def test_all_families_are_found() -> None:
    assert len(OPERATIONS) == 24
