"""No mutant is left out of the explorer's bench without a reason."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from helpers.sensitivity.registry import load

BENCH = Path(__file__).resolve().parents[2] / "bench"


def test_each_mutant_is_found_or_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    explore_mutants = importlib.import_module("explore_mutants")
    mutants = load()
    assert explore_mutants.without_a_place(mutants) == []
    one = next(name for name in mutants if name.startswith("parts-"))
    mutants.pop(one)
    assert explore_mutants.without_a_place(mutants) == [one]
