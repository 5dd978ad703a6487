"""The command `engines`: fetches and lists the engines of other versions, for the matrix of all versions."""

from __future__ import annotations

import argparse

from helpers.base.errors import ALL_AS_EXPECTED, ENVIRONMENT, EnvironmentFailed, UsageError, nearest
from helpers.cluster.engines.offline import engine_folder, why_no_engines
from helpers.cluster.engines.wheels import BY_CLICKHOUSE, install


def fetch(given: argparse.Namespace) -> int:
    """Install engines; one that cannot be installed is reported, here and by what needs it, and skipped."""
    for version in given.versions:
        if version not in BY_CLICKHOUSE:
            raise UsageError(
                f"There is no engine {version}: there are {', '.join(BY_CLICKHOUSE)}."
                + nearest(version, BY_CLICKHOUSE)
            )
    code = ALL_AS_EXPECTED
    for version in given.versions or BY_CLICKHOUSE:
        wheel = BY_CLICKHOUSE[version]
        try:
            if engine_folder(version) is None:
                install(wheel, _say)
            wheel.failure.unlink(missing_ok=True)
        except EnvironmentFailed as failed:
            code = ENVIRONMENT
            _say(str(failed))
            if wheel.failure.parent.is_dir():
                wheel.failure.write_text(f"{failed}\n")
    return code


def show(_: argparse.Namespace) -> int:
    for version, wheel in BY_CLICKHOUSE.items():
        state = engine_folder(version) or why_no_engines([version])
        print(f"{version:<8}{wheel!s:<20}{state}")
    return ALL_AS_EXPECTED


def _say(line: str) -> None:
    print(line, flush=True)
