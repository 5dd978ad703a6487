"""What readers get of a type: of compound types the worst of their elements, and documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.export.readers import READERS, differences, readings, table, without_fingerprint

ROOT = Path(__file__).resolve().parents[3]


def test_the_document_has_the_table() -> None:
    text = (ROOT / "docs" / "export.md").read_text()
    assert text.partition("<!-- types -->\n")[2].partition("<!-- end of types -->")[0] == table()


@pytest.mark.parametrize(
    ("kind", "statuses"),
    [
        ("UInt64", "exact exact exact exact"),
        ("Nullable(IPv4)", "changed changed changed changed"),
        ("Map(String, Array(UUID))", "exact refused exact exact"),
        ("Tuple(a DateTime64(9), b UInt128)", "changed refused changed changed"),
        ("Decimal(39, 2)", "exact refused exact changed"),
        ("SimpleAggregateFunction(any, IPv6)", "changed changed changed changed"),
    ],
)
def test_readings(kind: str, statuses: str) -> None:
    found = readings(kind)
    assert [found[reader].status for reader in READERS] == statuses.split()


def test_columns_that_are_not_exact_are_named() -> None:
    found = differences({"a": "UInt8", "b": "UUID"})
    assert found == {"b": "Spark refused: cannot open the file"}
    assert without_fingerprint({"a": "UInt8", "b": "JSON"}) == ["b"]
