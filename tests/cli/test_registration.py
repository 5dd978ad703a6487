"""`export --register`: what fails after the export is no refusal of the command."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest

from helpers.cli.export import _register
from pipelines.errors import PipelineError, Unavailable
from pipelines.export.errors import ExportRefused


class Registration:
    """One that ends like this."""

    table = "lake.t"

    def __init__(self, error: PipelineError) -> None:
        self.error = error

    def register(self, plans: object) -> int:
        raise self.error


def test_files_that_are_there_are_a_failure_and_no_refusal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    refused: Any = Registration(ExportRefused("BAD_ARGUMENTS", "exported, but not registered"))
    assert _register(Namespace(json=False), refused, []) == 1
    assert "exported, but not registered" in capsys.readouterr().err
    silent: Any = Registration(Unavailable("gone"))
    with pytest.raises(Unavailable):
        _register(Namespace(json=False), silent, [])
