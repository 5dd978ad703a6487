"""The command without a name: run scenarios, write results and reports."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, INTERRUPTED, RegressionError, UsageError
from helpers.base.escaping import counted
from helpers.base.paths import from_here
from helpers.cluster import environments
from helpers.report import console_progress as console
from helpers.report import junit
from helpers.report.console_table import render_table
from helpers.report.earlier_runs import load_runs
from helpers.report.load import load_results
from helpers.report.page import render_html
from helpers.report.project import Tree, read_tree
from helpers.report.report import build_report
from helpers.report.run_results import RESULTS_FILE, Results
from helpers.report.triage import triaged
from helpers.report.write import write_reports
from helpers.runner import options as run_options
from helpers.runner import plan, testflows_log
from helpers.runner.changes import digests_of
from helpers.runner.discovery import load
from helpers.runner.one_run import Run, RunResult, open_run
from helpers.runner.options import Options
from helpers.runner.selection import select
from helpers.runner.supervisor.job_queue import NextJobs
from helpers.scenario.result import ScenarioResult
from helpers.scenario.scenario import Job, Scenario
from helpers.sensitivity import registry
from helpers.sensitivity.mutant_ends import Sensitivity
from helpers.sensitivity.systematic import Systematic


def run_scenarios(arguments: argparse.Namespace) -> int:
    """Everything that a run does; the exit code says how it ended."""
    options = run_options.checked(arguments)
    targets = options.target.each_version()
    if options.log and len(targets) > 1:
        raise UsageError("--log is the log of one run: give one --clickhouse-version with it.")
    if options.list or options.plan:
        print(_shown(options))
        return ALL_AS_EXPECTED
    tree = read_tree(load(options.scenarios))
    jobs = _jobs(options, tree.requirements)
    # What cannot be had is said before anything runs.
    for target in targets[1:]:
        environments.check(target, print)
    codes, folders = [], []
    for target in targets:
        code, folder = _run_on(replace(options, target=target), jobs, tree)
        codes.append(code)
        folders.append(folder)
        if code == INTERRUPTED:
            break
    if len(folders) > 1:
        _compare(folders)
    return max(codes)


def _shown(options: Options) -> str:
    """What --list and --plan print."""
    jobs = _jobs(options, read_tree(()).requirements if options.requirement else [])
    if options.list:
        return "\n".join(job.label for job in jobs)
    return plan.tree([job.scenario for job in jobs])


def _jobs(options: Options, known_requirements: Iterable[str]) -> list[Job]:
    """What the options name; the mutant is looked for here, so that it is missed before anything runs."""
    scenarios = choose(options, known_requirements)
    if options.mutant:
        registry.named(options.mutant, options.scenarios)
    return [Job(scenario, options.mutant) for scenario in scenarios]


def _run_on(options: Options, jobs: Sequence[Job], tree: Tree) -> tuple[int, Path]:
    """Run these jobs on one target; the exit code and the folder of the results."""
    with open_run(options) as run:
        executed = execute(run, jobs)
        code = executed.exit_code(executed.results, options)
        publish(run, executed, executed.results, tree, code)
        if options.log:
            logs = sorted(run.folder.path.glob("testflows-*.log"), key=lambda log: len(log.name))
            testflows_log.merge(logs, options.log)
    if options.mutant and not any(result.changes for result in executed.results):
        raise RegressionError(
            f"The mutant {options.mutant} changed nothing in these scenarios: it proved nothing."
        )
    return code, run.folder.path


def _compare(folders: Sequence[Path]) -> None:
    """The matrix over several runs, a column each, beside the results of the last one."""
    report = build_report([load_results(folder) for folder in folders])
    file = folders[-1] / "versions.html"
    file.write_text(render_html(report), encoding="utf-8")
    print("\n" + render_table(report))
    print(f"All versions: {from_here(file)}")


def choose(options: Options, known_requirements: Iterable[str]) -> list[Scenario]:
    """The scenarios that the options name."""
    scenarios = load(options.scenarios)
    if options.last_failed:
        last = load_results(options.results / "latest")
        failed = {result.name for result in last.scenarios if result.unexpected}
        scenarios = [scenario for scenario in scenarios if scenario.name in failed]
        if not scenarios:
            raise UsageError(
                f"--last-failed: nothing that is still here failed in the run {last.id}."
            )
    chosen = select(
        scenarios,
        only=options.only,
        skip=options.skip,
        requirements=options.requirement,
        known_requirements=known_requirements,
    )
    return options.shard.of(chosen) if options.shard else chosen


def execute(
    run: Run,
    jobs: Sequence[Job],
    next_jobs: NextJobs = lambda *_: (),
    *,
    generate: bool = False,
) -> RunResult:
    """Execute these jobs with progress on the console."""
    options = run.options
    print(
        f"{counted(len(jobs), 'scenario')} on {options.target.env}, "
        f"{min(options.workers, len(jobs))} at a time, "
        f"seed {options.seed}, results in {from_here(run.folder.path)}",
        flush=True,
    )
    with console.progress(len(jobs), options.output, options.debug) as progress:
        return run.execute(jobs, progress, next_jobs, generate=generate)


def publish(
    run: Run,
    executed: RunResult,
    scenarios: Sequence[ScenarioResult],
    tree: Tree,
    code: int,
    sensitivity: Sensitivity | None = None,
    systematic: Systematic | None = None,
) -> None:
    """Write results.json, and everything that is made from the results; then raise if the environment
    did not come up."""
    folder = run.folder.path
    used = digests_of({job.scenario.name: job.scenario for job in executed.jobs})
    verdicts = sensitivity.verdicts if sensitivity else {}
    states = tree.states(scenarios)
    if systematic is not None:
        states = [systematic.apply(state) for state in states]
    results = Results(
        source=str(folder / RESULTS_FILE),
        run=run.facts(executed, code),
        scenarios=tuple(replace(each, code=used[each.name]) for each in scenarios),
        requirements=tuple(
            verdicts[state.name].apply(state) if state.name in verdicts else state
            for state in states
        ),
        sensitivity=sensitivity,
        systematic=systematic,
    )
    if any(scenario.unexpected for scenario in scenarios):
        results = triaged(results, load_runs(run.options.results))
    results.write(folder / RESULTS_FILE)
    junit.write(results, folder / "junit.xml")
    write_reports(results, folder)
    run.folder.make_latest()
    print(console.summary(results, folder), flush=True)
    if executed.failure is not None:
        raise executed.failure
