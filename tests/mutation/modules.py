"""Which tests are to notice a change of which module, and how many of the changes."""

from __future__ import annotations

from typing import NamedTuple

EXPORT, COMPARE, SENSITIVITY = (
    "tests/pipelines/export",
    "tests/pipelines/compare",
    "tests/sensitivity",
)
BAR = 0.85


class Judged(NamedTuple):
    """A module, the tests that touch it, and the share of its mutants that they have to notice.

    One that is not `fast` needs a server or Spark: it is left to the nightly run.
    """

    tests: tuple[str, ...]
    bar: float = BAR
    fast: bool = True


MODULES = {
    "pipelines/compare/difference.py": Judged((f"{COMPARE}/test_difference.py",)),
    "pipelines/compare/fingerprint.py": Judged(
        (f"{COMPARE}/test_fingerprint.py", f"{COMPARE}/test_fixed_fingerprints.py"), fast=False
    ),
    "pipelines/compare/oracle.py": Judged((f"{COMPARE}/test_oracle.py",), fast=False),
    "pipelines/export/lock.py": Judged((f"{EXPORT}/test_lock_clock.py",)),
    "pipelines/export/transfer/parquet_join.py": Judged(
        (f"{EXPORT}/transfer/test_parquet_join.py",), fast=False
    ),
    "pipelines/export/statement.py": Judged((f"{EXPORT}/test_statement.py",)),
    "helpers/report/states.py": Judged(("tests/report/test_states.py",)),
    "helpers/scenario/violations.py": Judged(("tests/scenario/test_violations.py",)),
    "helpers/sensitivity/assertion_score.py": Judged(
        (f"{SENSITIVITY}/test_assertions.py", "tests/report/test_systematic.py")
    ),
    "helpers/sensitivity/other_sources.py": Judged(
        (f"{SENSITIVITY}/test_generated.py", f"{SENSITIVITY}/test_other_sources.py")
    ),
    "requirements/blind_checks.py": Judged(("tests/requirements/test_blind_checks.py",)),
    "requirements/comparisons.py": Judged(("tests/requirements/test_blind_checks.py",)),
}
