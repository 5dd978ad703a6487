"""A folder of scenarios with mutants for each test."""

from pathlib import Path

import pytest

from tests.runner.suite import Suite

MUTANTS = """\
from helpers.sensitivity.mutant import mutant

"""


class Sabotaged(Suite):
    """Scenarios, their mutants, and `sensitivity` executed on them."""

    def mutants(self, body: str) -> None:
        (self.folder / "feature" / "mutants").mkdir(parents=True, exist_ok=True)
        (self.folder / "feature" / "mutants" / "rows.py").write_text(MUTANTS + body)

    def command(self, *options: str) -> list[str]:
        python, module, cli, *given = super().command(*options)
        return [python, module, cli, "sensitivity", *given]


@pytest.fixture
def sabotaged(tmp_path: Path) -> Sabotaged:
    return Sabotaged(tmp_path)
