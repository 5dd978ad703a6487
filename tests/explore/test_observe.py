"""The comparison of a server with the model sees everything that can differ, without a server."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from helpers.explore.execution.observe import (
    OTHER_DETACHED,
    OTHER_DISKS,
    OTHER_PARTS,
    Observation,
    difference,
)
from helpers.explore.model.statements import Row
from helpers.explore.model.tables import ModelState, ModelTable, Part

ROW, OTHER = ((1, 1),), ((2, 1),)
STATE = ModelState(
    {
        "a": ModelTable(
            "tiered",
            (Part(1, ROW, disk="one"), Part(1, ROW, disk="one"), Part(2, OTHER, disk="two")),
            (Part(1, OTHER),),
        )
    }
)
PARTS: dict[str, tuple[int, tuple[Row, ...]]] = {
    "1_1_1_0": (1, ROW),
    "1_2_2_0": (1, ROW),
    "2_3_3_0": (2, OTHER),
}
SEEN = Observation(
    {"a": {**PARTS}},
    {"a": Counter({1: 1})},
    {"a": Counter({(1, "one"): 2, (2, "two"): 1})},
)


def test_what_is_the_same_does_not_differ() -> None:
    assert difference(STATE, SEEN) is None
    assert difference(STATE, Observation(SEEN.parts)) is None, "nobody looked at the rest"


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"1_2_2_0": None}, "rows are missing"),
        ({"1_4_4_0": (1, ROW)}, "rows too many"),
        ({"2_3_3_0": (2, ((2, 2),))}, "other rows"),
        ({"2_3_3_0": (2, ((3, 1),))}, "other rows"),
        ({"2_3_3_0": (3, OTHER)}, "other rows"),
        ({"1_1_1_0": (1, (*ROW, *ROW)), "1_2_2_0": None}, OTHER_PARTS),
    ],
)
def test_rows_and_parts(changed: dict[str, tuple[int, tuple[Row, ...]]], kind: str) -> None:
    parts = {name: part for name, part in {**PARTS, **changed}.items() if part is not None}
    found = difference(STATE, replace(SEEN, parts={"a": parts}))
    assert found is not None
    assert found[:2] == ("a", kind)


def test_detached_parts_and_disks() -> None:
    for detached in ({}, {"a": Counter({1: 2})}, {"a": Counter({2: 1})}):
        found = difference(STATE, replace(SEEN, detached=detached))
        assert found is not None and found[1] == OTHER_DETACHED
    found = difference(STATE, replace(SEEN, disks={"a": Counter({(1, "one"): 3})}))
    assert found is not None and found[1] == OTHER_DISKS
