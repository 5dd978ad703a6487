"""The fingerprints of fixed rows: both engines cannot change, or weaken, together unseen."""

from __future__ import annotations

import pytest

from pipelines.clickhouse.rows import query
from pipelines.clickhouse.server import Server
from pipelines.compare import fingerprint
from pipelines.compare.fingerprint import Fingerprint

# Structure and row, and the sums of the halves of its hash.
FIXED: dict[tuple[str, str], tuple[int, int]] = {  # 16 variants
    ("a Nullable(String)", "(NULL)"): (2728696213, 2670316311),
    ("a Nullable(String)", "('')"): (592682431, 4081650738),
    ("a String", "('a')"): (3797973803, 2554038996),
    ("a String, b String", "('a', '')"): (128083356, 1491500804),
    ("a String, b String", "('', 'a')"): (1054067667, 1630709033),
    ("a Nullable(Int32), b Nullable(Int32)", "(NULL, NULL)"): (3557281502, 864083143),
    ("a Nullable(Int32), b Nullable(Int32)", "(1, NULL)"): (3916700712, 4268146113),
    ("a Nullable(Int32), b Nullable(Int32)", "(NULL, 1)"): (907770366, 934737764),
    ("a Int32, b Int32, c Int32", "(1, 2, 3)"): (4247416921, 3725185528),
    ("a Int32, b Int32, c Int32", "(2, 1, 3)"): (1936310552, 2234357426),
    ("a Int32, b Int32, c Int32", "(1, 3, 2)"): (2070998460, 692124722),
    ("a UInt64", "(18446744073709551615)"): (676714293, 2814560404),
    ("a Float64", "(-0.)"): (849970059, 3190873205),
    ("a Decimal(9, 2)", "('-0.01')"): (3728741794, 69565096),
    ("a Array(Nullable(UInt8))", "([NULL, 1])"): (2414003748, 3970596618),
    ("a Date", "('1970-01-02')"): (778903570, 3756094656),
}


@pytest.mark.parametrize(("structure", "row"), FIXED)
def test_a_fixed_row_has_its_fingerprint(server: Server, structure: str, row: str) -> None:
    actual = query(server, f"SELECT * FROM VALUES('{structure}', {row})")
    found = fingerprint.of_clickhouse(actual)
    assert found == Fingerprint(1, *FIXED[structure, row])


def test_each_of_them_is_another_one() -> None:
    assert len(set(FIXED.values())) == len(FIXED)


def test_a_bucket_is_the_end_of_the_hash(server: Server) -> None:
    key = {"a": "UInt64"}
    actual = query(server, "SELECT number AS a FROM numbers(3)")
    hashes = [int(each) for (each,) in actual.select(fingerprint.hash_sql(key))]
    buckets = fingerprint.buckets_of_clickhouse(actual, key)
    assert set(buckets) == {each % fingerprint.BUCKETS for each in hashes}
    assert fingerprint.BUCKETS > 1000
