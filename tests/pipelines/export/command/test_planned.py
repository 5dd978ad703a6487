"""The command `export` plans: what it takes, what it prints, and how it ends."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

import pytest

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cli.export_output import show_outcomes
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.object_store import ObjectStore
from pipelines.errors import PipelineError, Unavailable
from pipelines.export import servers
from pipelines.export.errors import ExportRefused
from pipelines.export.part import Outcome
from tests.pipelines.conftest import BUCKET
from tests.pipelines.export.command.conftest import run


@pytest.mark.parametrize(("age", "parts"), [("0s", "6 parts"), ("3000w", "0 parts")])
def test_an_age_before_all_times_takes_no_part(
    environment: None,
    node: EmbeddedNode,
    table: str,
    age: str,
    parts: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    time.sleep(1.1)  # ages are whole seconds, and a part must be older than 0
    arguments = ("--source", f"{node.database}.t", "--all", "--to", f"s3://{BUCKET}/dry")
    assert run(*arguments, "--older-than", age, "--dry-run") == 0
    assert parts in capsys.readouterr().out


def test_a_dry_run_prints_files_and_writes_none(
    environment: None,
    node: EmbeddedNode,
    object_store: ObjectStore,
    table: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = f"s3://{BUCKET}/dry"
    assert run("--source", f"{node.database}.t", "--to", place, "--all", "--dry-run") == 0
    printed = capsys.readouterr().out
    assert f"{place}/p=1/1_" in printed and "6 parts" in printed
    assert object_store.keys(BUCKET, "dry") == []


def test_a_condition_takes_the_parts_that_fulfil_it(
    environment: None, node: EmbeddedNode, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--source", f"{node.database}.t", "--to", f"s3://{BUCKET}/dry", "--dry-run")
    for chosen, count in (("--all", 2), ("--partition", 1), ("--part", 1)):
        named = {"--partition": ["2"], "--part": ["2_3_3_0"]}.get(chosen, [])
        condition = "partition_id = '2'" if chosen == "--all" else "min_block_number = 3"
        assert run(*arguments, chosen, *named, "--where", condition) == 0
        assert f"\n{count} parts" in f"\n{capsys.readouterr().out}"
        # What is named is there, and is not to be exported.
        assert run(*arguments, chosen, *named, "--older-than", "7d") == 0
        assert "\n0 parts" in f"\n{capsys.readouterr().out}"
    for option in ("--where", "--older-than"):
        with pytest.raises(UsageError, match=f"{option}: it was given an empty text"):
            run(*arguments, "--all", option, "")


@pytest.mark.parametrize(
    ("error", "code", "exit_code"),
    [(PipelineError, 0, 1), (ExportRefused, 504, 2), (Unavailable, 0, 3), (None, 0, 0)],
)
def test_how_an_export_ended_is_the_exit_code(
    error: type[Exception] | None, code: int, exit_code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "for a reason" if error else ""
    status = "failed" if error else "succeeded"
    outcomes = [
        Outcome("1", "good", "succeeded", "p=1/good.parquet", 1, 1),
        Outcome("2", "other", status, "p=1/other.parquet", 0, 0, text, code, error),
    ]
    assert show_outcomes(Namespace(json=False), outcomes) == exit_code
    shown = capsys.readouterr()
    assert ("other: for a reason" in shown.err) == bool(error)
    assert f"{1 + (not error)} of 2 parts" in shown.out


def test_several_servers_are_planned_together(
    environment: None,
    node: EmbeddedNode,
    table: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = node.endpoint.http_url
    arguments = ("--source", f"{node.database}.t", "--to", f"s3://{BUCKET}/dry", "--all")
    with pytest.raises(UsageError, match="name each server once"):
        run(*arguments, "--dry-run", "--url", f"{url}, {url}")
    with pytest.raises(UsageError, match="name one by --url"):
        run(*arguments, "--dry-run", "--url", f"{url},{url}", "--cluster", "all")
    with pytest.raises(UsageError, match="knows no cluster 'nope'"):
        run(*arguments, "--dry-run", "--cluster", "nope")
    with pytest.raises(UsageError, match="name pattern"):
        run(*arguments, "--dry-run", "--name-pattern", "same")
    assert run(*arguments, "--dry-run", "--name-pattern", "{table}.{part}") == 0
    shown = capsys.readouterr()
    assert "/t.1_" in shown.out and f"on ClickHouse at {url} → s3://{BUCKET}/dry" in shown.err


def test_it_keeps_trying_while_nobody_answers(
    environment: None,
    node: EmbeddedNode,
    table: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = (
        "--source",
        f"{node.database}.t",
        "--all",
        "--to",
        f"s3://{BUCKET}/tries",
        "--dry-run",
    )
    with pytest.raises(UsageError, match="An age is a number"):
        run(*arguments, "--keep-trying", "long")
    answers = iter([Unavailable("gone"), Unavailable("gone"), None])
    plan = servers.plan_servers

    def plan_when_it_answers(*given: Any) -> Any:
        error = next(answers)
        if error:
            raise error
        return plan(*given)

    monkeypatch.setattr(servers, "plan_servers", plan_when_it_answers)
    assert run(*arguments, "--keep-trying", "30s") == 0
    assert capsys.readouterr().err.count("Trying again in") == 2
    answers = iter([Unavailable("gone"), Unavailable("gone")])
    with pytest.raises(EnvironmentFailed, match="gone"):
        run(*arguments, "--keep-trying", "1s")
