"""`export --keep-trying`: the last attempt answers."""

from __future__ import annotations

import json
from argparse import Namespace

import pytest

from helpers.cli import export
from helpers.cli import main as cli

EXPORT = ("export", "--source=a.b", "--to=s3://x/y", "--all", "--keep-trying=30s")


def test_json_is_that_of_the_last_attempt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = iter([3, 0])

    def attempt(given: Namespace) -> int:
        code = next(codes)
        print(json.dumps([code]))
        return code

    monkeypatch.setattr(export, "_run", attempt)
    assert cli.main([*EXPORT, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [0]


def test_what_it_exported_itself_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*EXPORT, "--if-exists=error"]) == 2
    assert "--if-exists error goes without" in capsys.readouterr().err
