"""What scenarios say about themselves: needs, deviations with their conditions, time limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.base.versions import is_newer_than_recorded, numbers
from helpers.cluster.binary.program import why_no_old_server
from helpers.cluster.capabilities import Capability, why_not
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.scenario.deviation import Deviation, DeviationKind, Severity
from helpers.scenario.marks import SECONDS, deviates, marks_of, needs, time_limit

TOLD: dict[str, Any] = {"reason": "known", "step": "the rows are there", "observed": {"rows": "0"}}


@pytest.mark.parametrize(
    ("when", "version", "applies"),
    [
        (None, "26.9.2.1", True),
        ("clickhouse >= 26.6", "26.9.2.1", True),
        ("clickhouse >= 26.6", "26.6.1.1", True),
        ("clickhouse >= 26.6", "26.5.9.9", False),
        ("clickhouse >= 26.6", "27.1.1.1", True),
        ("clickhouse >= 26.10", "26.9.2.1", False),
        ("clickhouse > 26.9", "26.9.2.1", False),
        ("clickhouse > 26.9.1", "26.9.2.1", True),
        ("clickhouse < 26.9", "26.7.2.1", True),
        ("clickhouse < 26.9", "26.9.2.1", False),
        ("clickhouse <= 26.9", "26.9.2.1", True),
        ("clickhouse == 26.9", "26.9.2.1", True),
        ("clickhouse != 26.9", "26.9.2.1", False),
        ("clickhouse == 26", "26.9.2.1", True),
        ("clickhouse >= 26.6 and clickhouse < 26.9", "26.7.2.1", True),
        ("clickhouse >= 26.6 and clickhouse < 26.9", "26.9.2.1", False),
        ("clickhouse>=26.6", "26.9.2.1", True),
        ("clickhouse >= 25.8", "25.8.9.20496.altinityantalya", True),
        ("clickhouse < 25.8", "25.8.9.20496.altinityantalya", False),
        ("clickhouse >= 26.9", "26.10.1.1-testing", True),
        ("clickhouse < 26.9", "26.10.1.1-testing", False),
        ("clickhouse == 26.3.1.1", "26.3.1.1+lts", True),
        ("clickhouse == 26.9", "26.10.1.1", True),  # as the newest that is recorded
        ("clickhouse <= 26.9", "27.1.1.1", True),
    ],
)
def test_a_deviation_applies_by_version(when: str | None, version: str, applies: bool) -> None:
    assert Deviation(**TOLD, when=when).applies_to(version) is applies


@pytest.mark.parametrize(
    "when", ["", "26.6", "clickhouse => 26.6", "clickhouse >= new", "spark > 3"]
)
def test_a_condition_that_cannot_be_read_is_an_error_where_it_is_written(when: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        deviates(**TOLD, when=when)


def test_a_condition_on_a_version_that_is_not_recorded_yet_is_refused() -> None:
    """Otherwise it would never hold."""
    with pytest.raises(UsageError, match=r"raise RECORDED_UP_TO in helpers/base/versions\.py"):
        deviates(**TOLD, when="clickhouse >= 99.1")


def test_a_version_without_numbers_is_refused_clearly() -> None:
    with pytest.raises(UsageError, match="'head' has no version in it"):
        Deviation(**TOLD, when="clickhouse >= 26.6").applies_to("head")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("26.9.2.1", (26, 9, 2, 1)),
        ("v26.3-lts", (26, 3)),
        ("ClickHouse 1 server version 26.3.1.2 (official build).", (26, 3, 1, 2)),
        ("26", (26,)),
    ],
)
def test_numbers_of_a_version(text: str, expected: tuple[int, ...]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("version", "newer"),
    [("26.9.99.1", False), ("26.9", False), ("18.16.1", False), ("26.10.1.1-testing", True)],
)
def test_newer_than_recorded(version: str, newer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helpers.base.versions.RECORDED_UP_TO", "26.9")
    assert is_newer_than_recorded(version) is newer


def test_a_condition_is_read_to_its_end() -> None:
    """Also where the first half already decides."""
    with pytest.raises(UsageError, match="cannot be read"):
        deviates(**TOLD, when="clickhouse >= 26.6 and nonsense")


@pytest.mark.parametrize("missing", ["reason", "step", "observed"])
def test_a_deviation_has_to_be_told_completely(missing: str) -> None:
    with pytest.raises(UsageError, match="needs a reason, the step that fails and the violations"):
        deviates(**{**TOLD, missing: ""})
    with pytest.raises(UsageError, match="needs a reason, the step that fails and the violations"):
        deviates(**{name: text for name, text in TOLD.items() if name != missing})


JUDGED = {"kind": "bug", "severity": "data lost"}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"kind": "bug"}, "kind= and severity= together"),
        ({"severity": "message"}, "kind= and severity= together"),
        ({**JUDGED, "kind": "bugs"}, "'bugs'.* there are 'bug', 'by design', 'requirement', 'env"),
        (
            {**JUDGED, "severity": "bad"},
            "'bad'.* there are 'data lost', 'wrong answer', 'wrong ref",
        ),
        ({**JUDGED, "kind": "by design"}, "needs upstream=: the link to the documentation"),
        ({**JUDGED, "upstream": "issue 7"}, "'issue 7'.* is not a link"),
        ({"upstream": ""}, "is not a link"),
    ],
)
def test_a_verdict_is_complete(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        deviates(**TOLD, **given)


def test_a_deviation_says_whose_fault_it_is_and_how_bad() -> None:
    def scenario(self: object) -> None: ...

    link = "https://clickhouse.com/docs/x"
    deviates(**TOLD, kind="by design", severity="wrong answer", upstream=link)(scenario)
    (deviation,) = marks_of(scenario).deviations
    assert deviation.kind is DeviationKind.BY_DESIGN
    assert deviation.severity is Severity.WRONG_ANSWER
    assert deviation.upstream == link


@pytest.mark.parametrize("unknown", ["replication", None, 3, Capability])
def test_an_unknown_capability_is_an_error(unknown: object) -> None:
    with pytest.raises(UsageError) as caught:
        needs(Capability.FAILPOINTS, unknown)
    assert "not a capability; known are Capability.REPLICATION" in str(caught.value)


def test_marks_are_kept_beside_the_function_and_add_up() -> None:
    def scenario(self: object) -> None: ...

    def other(self: object) -> None: ...

    assert marks_of(scenario).seconds == SECONDS
    marked = needs(Capability.FAILPOINTS)(scenario)
    marked = deviates(**TOLD, when="clickhouse < 26.9")(marked)
    marked = deviates(**{**TOLD, "reason": "another"})(marked)
    marked = needs(Capability.OBJECT_STORE)(time_limit(7)(marked))
    assert marked is scenario
    marks = marks_of(scenario)
    assert set(marks.needs) == {Capability.FAILPOINTS, Capability.OBJECT_STORE}
    assert [deviation.reason for deviation in marks.deviations] == ["known", "another"]
    assert marks.seconds == 7
    assert vars(scenario) == {}
    assert marks_of(other).needs == ()


def test_needs_of_a_file_are_those_of_all_its_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenario(self: object) -> None: ...

    needs(Capability.FAILPOINTS)(scenario)
    monkeypatch.setitem(globals(), "NEEDS", (Capability.OBJECT_STORE,))
    assert marks_of(scenario).needs == (Capability.OBJECT_STORE, Capability.FAILPOINTS)
    monkeypatch.setitem(globals(), "NEEDS", ("replication",))
    with pytest.raises(UsageError, match="'replication': not a capability"):
        marks_of(scenario)


def test_capabilities_are_probed(cluster: EmbeddedCluster) -> None:
    cluster.node()
    reasons = {capability: why_not(cluster, capability) for capability in Capability}
    # A probe that asks the wrong thing would skip scenarios everywhere, and nobody would notice.
    for always in (
        *(Capability.OBJECT_STORE, Capability.PROCESS_CONTROL, Capability.FAILPOINTS),
        *(Capability.SETTINGS_OF_ALTER, Capability.REFUSAL_OF_MISSING_PARTITION),
        *(Capability.MESSAGES_OF_TODAY, Capability.TABLE_FUNCTIONS),
        *(Capability.ROW_POLICIES, Capability.SPARK, Capability.SERVERS_WITHOUT_UUID),
    ):
        assert reasons[always] is None, always
    for never in (Capability.REPLICATION, Capability.SQL_USERS, Capability.TRANSACTIONS):
        assert reasons[never]
    assert "interserver listener" in str(reasons[Capability.REPLICATION])
    assert "code 514" in str(reasons[Capability.SQL_USERS])


def program_that_says(folder: Path, text: str) -> None:
    program = folder / "clickhouse-server"
    program.write_text(f"#!/bin/sh\necho '{text}'\n")
    program.chmod(0o755)


def test_a_server_of_today_is_no_old_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    program_that_says(tmp_path, "ClickHouse server version 26.3.1.2 (official build).")
    assert "is not of 2018: ClickHouse server version 26.3.1.2" in str(why_no_old_server())
    program_that_says(tmp_path, "Unknown option specified: version")
    assert why_no_old_server() is None
