"""Patterns: what a person types is what runs."""

from __future__ import annotations

import pytest

from helpers.base.errors import UsageError
from helpers.runner.plan import tree
from helpers.runner.selection import Shard, matches, select
from helpers.scenario.marks import Marks
from helpers.scenario.result import Link
from helpers.scenario.scenario import Scenario


def scenario(name: str, *links: str) -> Scenario:
    _, feature, topic, title = name.split("/")
    return Scenario(
        name=name,
        feature=feature,
        topic=topic,
        title=title,
        file=f"scenarios/{feature}/{topic}.py",
        line=1,
        links=tuple(Link(link, "1.0") for link in links),
        marks=Marks(),
        test=None,
    )


ALL = [
    scenario("/replace partition/keep data/rows", "RQ.A.Keep"),
    scenario("/replace partition/keep data/rows and parts", "RQ.A.Keep", "RQ.A.Parts"),
    scenario("/replace partition/s3/objects", "RQ.A.S3"),
    scenario("/table parts/merge/rows", "RQ.B"),
]


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("/replace partition/*", 3),
        ("/replace partition", 3),
        ("replace partition", 3),
        ("/replace partition/keep data", 2),
        ("/replace partition/keep data/rows", 1),
        ("/replace partition/keep data/rows/*", 1),
        ("*rows", 2),
        ("*keep*", 2),
        ("/*/merge", 1),
        ("*", 4),
        ("/", 4),
        ("/:/merge", 1),
        ("/replace partition/:/rows", 1),
        ("/:/rows", 0),
        ("/regression/replace partition/*", 3),
        ("/regression/*", 4),
        ("/regression", 4),
    ],
)
def test_only(pattern: str, count: int) -> None:
    assert sum(matches(known.name, pattern) for known in ALL) == count


def test_a_name_is_not_a_prefix_of_another() -> None:
    assert not matches("/a/b/rows and parts", "/a/b/rows")


def test_patterns_add_up_and_skip_takes_away() -> None:
    chosen = select(ALL, only=["/table parts", "*keep*"], skip=["*and parts"])
    assert [scenario.name for scenario in chosen] == [ALL[0].name, ALL[3].name]


def test_order_is_the_order_of_files_whatever_the_patterns() -> None:
    assert select(ALL, only=["/table parts", "/replace partition"]) == ALL


@pytest.mark.parametrize(("pattern", "count"), [("RQ.A.Keep", 2), ("RQ.A*", 3), ("*.B", 1)])
def test_requirement(pattern: str, count: int) -> None:
    assert len(select(ALL, requirements=[pattern])) == count


def test_one_of_two_patterns_that_matches_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="'/nothing'"):
        select(ALL, only=["/table parts", "/nothing"])


def test_a_part_of_a_name_is_told_as_a_pattern() -> None:
    with pytest.raises(UsageError, match=r"Did you mean '\*keep data\*'"):
        select(ALL, only=["Keep Data"])


def test_requirement_without_scenario_is_told_from_an_unknown_one() -> None:
    with pytest.raises(UsageError, match="known, but"):
        select(ALL, requirements=["RQ.C"], known_requirements=["RQ.C"])
    with pytest.raises(UsageError, match="matches no requirement"):
        select(ALL, requirements=["RQ.D"], known_requirements=["RQ.C"])


def test_plan_is_a_tree_with_requirements() -> None:
    text = tree(ALL)
    assert text.count("/replace partition\n") == 1
    assert "rows and parts  (scenarios/replace partition/keep data.py:1)" in text
    assert "RQ.A.Parts 1.0" in text


def test_shards_are_disjoint_and_complete() -> None:
    names = [f"/a/b/{number}" for number in range(10)]
    parts = [
        [chosen.name for chosen in Shard(number, 3).of([scenario(name) for name in names])]
        for number in (1, 2, 3)
    ]
    assert sorted(name for part in parts for name in part) == names
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(
    "text", ["0/4", "5/4", "1", "a/b", "1/", "/2", "-1/2", "1/2/3", "\u0661/4"]
)
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(UsageError, match="is not like 1/4"):
        Shard.parse(text)


def test_an_empty_shard_is_an_error() -> None:
    with pytest.raises(UsageError, match="there are only 4 scenarios"):
        Shard(5, 5).of(ALL)
