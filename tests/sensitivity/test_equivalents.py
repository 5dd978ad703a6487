"""The list of mutants that change nothing anywhere: equivalents.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.base.errors import UsageError
from helpers.sensitivity import generated


@pytest.mark.parametrize("text", ['[[equivalent]]\nmutant = "drop"', "[[equivalent"])
def test_a_list_of_equivalents_that_cannot_be_read(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "equivalents.toml").write_text(text)
    monkeypatch.setattr(generated, "EQUIVALENTS", tmp_path / "equivalents.toml")
    with pytest.raises(UsageError, match="takes mutants, statement and reason"):
        generated.equivalent_everywhere.__wrapped__()
