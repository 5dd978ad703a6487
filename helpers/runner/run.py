"""One run from the command line to the exit code."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from helpers import mutants
from helpers.cluster import environments
from helpers.errors import (
    ALL_AS_EXPECTED,
    ENVIRONMENT,
    FAILURES,
    INTERRUPTED,
    EnvironmentFailed,
    RegressionError,
)
from helpers.paths import SCENARIOS
from helpers.report import console, junit
from helpers.report.project import Tree, read_tree
from helpers.report.write import write_reports
from helpers.runner import plan, results
from helpers.runner.discover import Scenario, load
from helpers.runner.folder import RESULTS, RunFolder
from helpers.runner.options import Options
from helpers.runner.outcome import UNEXPECTED
from helpers.runner.protocol import Job
from helpers.runner.select import select
from helpers.runner.supervisor import Limits, Record, Supervisor


def run(options: Options) -> int:
    """Everything that a run does; the exit code says how it ended."""
    tree = read_tree()
    chosen = choose(options, tree)
    if options.mutant:
        mutants.named(options.mutant, options.scenarios)
        chosen = [scenario.under(options.mutant) for scenario in chosen]
    if options.list:
        print("\n".join(scenario.name for scenario in chosen))
        return ALL_AS_EXPECTED
    if options.plan:
        print(plan.tree(chosen))
        return ALL_AS_EXPECTED
    with opened(options) as folder:
        carried = Carried(folder, options, chosen)
        entries = carried.entries(chosen, carried.records)
        code = carried.exit_code(carried.records)
        carried.write(carried.document(tree, entries, code))
        carried.raise_if_failed()
        if options.mutant and not any(record.get("lies") for record in carried.records):
            raise RegressionError(
                f"The mutant {options.mutant} never lied to these scenarios: it proved nothing."
            )
        return code


def choose(options: Options, tree: Tree) -> list[Scenario]:
    """The scenarios that the options name."""
    return select(
        load(options.scenarios),
        only=options.only,
        skip=options.skip,
        requirements=options.requirement,
        known_requirements=[one.name for spec in tree.specifications for one in spec.requirements],
    )


@contextmanager
def opened(options: Options) -> Iterator[RunFolder]:
    """A folder for a run in an environment that could come up; tidied up in the end."""
    environments.check(options.environment, options.clickhouse_version, print)
    if options.spark_master:
        os.environ["SPARK_MASTER"] = options.spark_master  # the workers', who start Spark if asked
    folder = RunFolder(options.results)
    try:
        yield folder
    except OSError as error:
        raise EnvironmentFailed(
            f"The run could not be carried out in {folder.path}: {error.strerror or error}. "
            "Is the disk full?"
        ) from error
    finally:
        if not options.keep and not any(folder.path.glob("scenarios/*/failure.txt")):
            shutil.rmtree(folder.data, ignore_errors=True)
        folder.close()


class Carried:
    """A plan that has been carried out, as far as it went."""

    def __init__(
        self,
        folder: RunFolder,
        options: Options,
        chosen: Sequence[Scenario],
        more: Callable[[Scenario, Record], Sequence[Scenario]] = lambda *_: (),
    ) -> None:
        self.folder = folder
        self.options = options
        self.failed: EnvironmentFailed | None = None
        self._rerun = _rerun_options(options)
        workers = min(options.workers, len(chosen))
        print(
            f"{len(chosen)} scenarios on {options.environment}, {workers} at a time, "
            f"seed {options.seed}, results in {folder.path}",
            flush=True,
        )
        started = time.monotonic()
        with console.progress(len(chosen), options.plain) as progress:
            limits = Limits(options.workers, options.fail_fast, options.timeout)
            self.supervisor = Supervisor(chosen, self._job(), limits, progress, more)
            try:
                self.supervisor.run()
            except EnvironmentFailed as error:
                self.failed = error
        self.records = self.supervisor.records()
        self.seconds = time.monotonic() - started

    @property
    def pairs(self) -> list[tuple[Scenario, Record]]:
        """What was planned in the end, and what came of it."""
        return list(zip(self.supervisor.plan, self.records, strict=True))

    def exit_code(self, records: Sequence[Record]) -> int:
        if self.failed is not None:
            return ENVIRONMENT
        if self.supervisor.interrupted:
            return INTERRUPTED
        unexpected = any(record["result"] in UNEXPECTED for record in records)
        return FAILURES if unexpected else ALL_AS_EXPECTED

    def entries(
        self, chosen: Sequence[Scenario], records: Sequence[Record]
    ) -> list[dict[str, Any]]:
        return [
            results.scenario_entry(scenario, record, self.options.seed, self._rerun)
            for scenario, record in zip(chosen, records, strict=True)
        ]

    def document(self, tree: Tree, entries: list[dict[str, Any]], code: int) -> dict[str, Any]:
        """results.json."""
        options, folder = self.options, self.folder
        return {
            "schema": results.SCHEMA,
            "run": {
                "id": folder.id,
                "started": f"{folder.started:%Y-%m-%dT%H:%M:%SZ}",
                "seconds": round(self.seconds, 3),
                "seed": options.seed,
                "environment": options.environment,
                "clickhouse": self.supervisor.clickhouse,
                "mutant": options.mutant,
                "exit_code": code,
                "interrupted": self.supervisor.interrupted,
                "command": " ".join(["./regression.py", *sys.argv[1:]]),
                "workers": options.workers,
            },
            "scenarios": entries,
            "requirements": results.requirement_entries(tree, entries),
        }

    def write(self, document: dict[str, Any]) -> None:
        """Everything that is made from results.json, and it itself first."""
        place = self.folder.path
        results.write(document, place / RESULTS)
        junit.write(document, place / "junit.xml")
        write_reports(document, place)
        self.folder.make_latest()
        print(console.summary(document, str(place)), flush=True)

    def raise_if_failed(self) -> None:
        if self.failed is not None:
            raise self.failed

    def _job(self) -> Job:
        options = self.options
        return Job(
            number=0,
            scenarios=str(options.scenarios.resolve()),
            folder=str(self.folder.path),
            seed=options.seed,
            environment=options.environment,
            version=options.clickhouse_version,
            keep=options.keep,
            rerun_options=self._rerun,
        )


def _rerun_options(options: Options) -> str:
    parts = []
    if options.clickhouse_version:
        parts.append(f" --clickhouse-version {options.clickhouse_version}")
    if options.scenarios.resolve() != SCENARIOS:
        parts.append(f" --scenarios {options.scenarios}")
    return "".join(parts)
