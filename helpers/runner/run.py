"""One run from the command line to the exit code."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any

from helpers.cluster import environments
from helpers.errors import (
    ALL_AS_EXPECTED,
    ENVIRONMENT,
    FAILURES,
    INTERRUPTED,
    EnvironmentFailed,
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
    chosen = select(
        load(options.scenarios),
        only=options.only,
        skip=options.skip,
        requirements=options.requirement,
        known_requirements=[one.name for spec in tree.specifications for one in spec.requirements],
    )
    if options.list:
        print("\n".join(scenario.name for scenario in chosen))
        return ALL_AS_EXPECTED
    if options.plan:
        print(plan.tree(chosen))
        return ALL_AS_EXPECTED
    environments.check(options.environment, options.clickhouse_version, print)
    folder = RunFolder(options.results)
    try:
        return _run_in(folder, tree, chosen, options)
    except OSError as error:
        raise EnvironmentFailed(
            f"The run could not be carried out in {folder.path}: {error.strerror or error}. "
            "Is the disk full?"
        ) from error
    finally:
        if not options.keep and not any(folder.path.glob("scenarios/*/failure.txt")):
            shutil.rmtree(folder.data, ignore_errors=True)
        folder.close()


def _run_in(folder: RunFolder, tree: Tree, chosen: list[Scenario], options: Options) -> int:
    workers = min(options.workers, len(chosen))
    print(
        f"{len(chosen)} scenarios on {options.environment}, {workers} at a time, "
        f"seed {options.seed}, results in {folder.path}",
        flush=True,
    )
    job = Job(
        number=0,
        scenarios=str(options.scenarios.resolve()),
        folder=str(folder.path),
        seed=options.seed,
        environment=options.environment,
        version=options.clickhouse_version,
        keep=options.keep,
        rerun_options=_rerun_options(options),
    )
    started = time.monotonic()
    failed: EnvironmentFailed | None = None
    with console.progress(len(chosen), options.plain) as progress:
        limits = Limits(options.workers, options.fail_fast, options.timeout)
        supervisor = Supervisor(chosen, job, limits, progress)
        try:
            records = supervisor.run()
        except EnvironmentFailed as error:
            failed = error
            records = supervisor.records()
    code = _exit_code(records, supervisor, failed)
    _write(
        folder, tree, options, chosen, records, supervisor, time.monotonic() - started, code, job
    )
    if failed is not None:
        raise failed
    return code


def _exit_code(
    records: list[Record], supervisor: Supervisor, failed: EnvironmentFailed | None
) -> int:
    if failed is not None:
        return ENVIRONMENT
    if supervisor.interrupted:
        return INTERRUPTED
    unexpected = any(record["result"] in UNEXPECTED for record in records)
    return FAILURES if unexpected else ALL_AS_EXPECTED


def _write(
    folder: RunFolder,
    tree: Tree,
    options: Options,
    chosen: list[Scenario],
    records: list[Record],
    supervisor: Supervisor,
    seconds: float,
    code: int,
    job: Job,
) -> None:
    entries = [
        results.scenario_entry(scenario, record, options.seed, job.rerun_options)
        for scenario, record in zip(chosen, records, strict=True)
    ]
    document: dict[str, Any] = {
        "schema": results.SCHEMA,
        "run": {
            "id": folder.id,
            "started": f"{folder.started:%Y-%m-%dT%H:%M:%SZ}",
            "seconds": round(seconds, 3),
            "seed": options.seed,
            "environment": options.environment,
            "clickhouse": supervisor.clickhouse,
            "exit_code": code,
            "interrupted": supervisor.interrupted,
            "command": " ".join(["./regression.py", *sys.argv[1:]]),
            "workers": options.workers,
        },
        "scenarios": entries,
        "requirements": results.requirement_entries(tree, entries),
    }
    results.write(document, folder.path / RESULTS)
    junit.write(document, folder.path / "junit.xml")
    write_reports(document, folder.path)
    folder.make_latest()
    print(console.summary(document, str(folder.path)), flush=True)


def _rerun_options(options: Options) -> str:
    parts = []
    if options.clickhouse_version:
        parts.append(f" --clickhouse-version {options.clickhouse_version}")
    if options.scenarios.resolve() != SCENARIOS:
        parts.append(f" --scenarios {options.scenarios}")
    return "".join(parts)
