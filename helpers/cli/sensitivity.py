"""`sensitivity`: run scenarios under mutants and report which mutants they notice."""

from __future__ import annotations

import argparse
import dataclasses
from collections import Counter

from helpers.base.errors import ALL_AS_EXPECTED, FAILURES, UsageError
from helpers.cli.run import choose, execute, publish
from helpers.report.project import read_tree
from helpers.runner import options as run_options
from helpers.runner.discovery import load
from helpers.runner.one_run import open_run
from helpers.scenario.result import ScenarioResult
from helpers.scenario.scenario import Scenario
from helpers.sensitivity import registry
from helpers.sensitivity.generated import GeneratedMutant
from helpers.sensitivity.mutant import Mutant
from helpers.sensitivity.mutant_ends import NO_MUTANT, MutantEntry, Sensitivity
from helpers.sensitivity.sampling import SystematicStrategy
from helpers.sensitivity.strategy import Fast, Strategy, Thorough, targeting
from helpers.sensitivity.summary import findings, mutant_counts
from helpers.sensitivity.systematic import Systematic, evaluate
from helpers.sensitivity.verdicts import Evaluation


def run_mutants(arguments: argparse.Namespace) -> int:
    """Run scenarios as they are and under mutants; the exit code says whether these are noticed."""
    options = run_options.checked(arguments)
    generated = arguments.systematic or arguments.all
    _check(arguments, options, generated)
    written = _written(options) if arguments.fast or not arguments.systematic else {}
    if options.list:
        print("\n".join(f"{mutant.name}: {mutant.about}" for mutant in written.values()))
        return ALL_AS_EXPECTED
    alone = bool(options.mutant)
    plan = Plan(written, arguments.fast, alone, generated, arguments.minutes, arguments.bar)
    return _run(dataclasses.replace(options, mutant=None), plan)


def _check(arguments: argparse.Namespace, options: run_options.Options, generated: bool) -> None:
    """Refuse options that do not go together."""
    if options.repeat > 1 or options.until_fail or options.pause_on_fail:
        raise UsageError(
            "--repeat, --until-fail and --pause-on-fail go with a run without 'sensitivity'."
        )
    if arguments.minutes is not None and not generated:
        raise UsageError("--minutes goes with --systematic or --all.")
    if arguments.all and (arguments.fast or arguments.systematic):
        raise UsageError("--all goes with neither --fast nor --systematic.")
    if generated and (options.mutant or options.list):
        raise UsageError("Generated mutants go with neither --mutant nor --list.")


@dataclasses.dataclass(frozen=True)
class Plan:
    """Which mutants run. `alone` is one written mutant, whose other requirements are not judged."""

    written: dict[str, Mutant]
    fast: bool
    alone: bool
    generated: bool
    minutes: float | None
    bar: float


def _written(options: run_options.Options) -> dict[str, Mutant]:
    """The mutants that are written beside the scenarios, or the one that was named."""
    mutants = registry.load(options.scenarios)
    if options.mutant:
        named = registry.named(options.mutant, options.scenarios)
        if isinstance(named, GeneratedMutant):
            raise UsageError("A generated mutant runs without 'sensitivity': --only S --mutant M.")
        mutants = {options.mutant: named}
    if not mutants:
        raise UsageError("There are no mutants (scenarios/<feature>/mutants/*.py).")
    return mutants


def _run(options: run_options.Options, plan: Plan) -> int:
    """Execute scenarios as they are and under mutants, and evaluate what they notice."""
    # All of it is read before anything runs, so that no edit meanwhile can spoil the end.
    everything = load(options.scenarios)
    tree = read_tree(everything)
    immune = registry.immune(options.scenarios)
    mutants = list(plan.written.values())
    chosen = _targets(choose(options, tree.requirements), mutants, plan.alone)
    sample = SystematicStrategy(chosen, options.seed, plan.minutes, options.workers)
    strategies = [*_written_strategies(plan, chosen), *([sample] if plan.generated else [])]
    sensitivity = systematic = None
    with open_run(options) as run:
        executed = execute(
            run,
            strategies[0].first(),
            lambda job, result: [new for each in strategies for new in each.next(job, result)],
            generate=plan.generated,
        )
        results = executed.by_key
        unchanged = [result for result in executed.results if result.mutant is None]
        if plan.generated:
            systematic = evaluate(chosen, results, sample.not_tried, plan.bar)
        if mutants:
            evaluation = Evaluation(chosen, plan.written, results, immune, thorough=not plan.fast)
            sensitivity = _sensitivity(evaluation, everything, unchanged, plan.alone, systematic)
        bad = any(part and part.bad for part in (sensitivity, systematic))
        code = executed.exit_code(unchanged, options) or (FAILURES if bad else ALL_AS_EXPECTED)
        publish(run, executed, unchanged, tree, code, sensitivity, systematic)
    if sensitivity:
        print(_summary(sensitivity, len(results) - len(unchanged)), flush=True)
    if systematic:
        print(systematic.summary(), flush=True)
    return code


def _written_strategies(plan: Plan, chosen: list[Scenario]) -> list[Strategy]:
    mutants = list(plan.written.values())
    return [(Fast if plan.fast else Thorough)(chosen, mutants)] if mutants else []


def _targets(chosen: list[Scenario], mutants: list[Mutant], alone: bool) -> list[Scenario]:
    """The scenarios to run: all of these, or those that a mutant which is tried alone is about."""
    targets = [scenario for scenario in chosen if targeting(scenario, mutants)]
    if mutants and not targets:
        raise UsageError("No mutant violates what these scenarios verify.")
    return targets if alone else chosen


def _sensitivity(
    evaluation: Evaluation,
    everything: list[Scenario],
    unchanged: list[ScenarioResult],
    alone: bool,
    systematic: Systematic | None,
) -> Sensitivity:
    """What results.json and the reports say of the mutants."""
    verdicts = evaluation.verdicts()
    if systematic:
        verdicts = [systematic.complete(verdict) for verdict in verdicts]
    ends = {scenario.name: evaluation.ends(scenario) for scenario in evaluation.scenarios}
    return Sensitivity(
        thorough=evaluation.thorough,
        mutants=tuple(
            MutantEntry(mutant.name, mutant.about, mutant.violates, mutant.tolerated)
            for mutant in evaluation.mutants.values()
        ),
        requirements=tuple(
            verdict for verdict in verdicts if not (alone and verdict.verdict == NO_MUTANT)
        ),
        scenarios={result.name: ends[result.name] for result in unchanged},
        blind=evaluation.blind() if evaluation.thorough and not alone else {},
        idle=evaluation.idle(everything) if evaluation.thorough else (),
    )


def _summary(sensitivity: Sensitivity, executed: int) -> str:
    """What is said on the console."""
    counts = Counter(verdict.verdict for verdict in sensitivity.requirements)
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    ends = mutant_counts(sensitivity.requirements)
    mutants = ", ".join(f"{count} {end}" for end, count in ends.items())
    lines = [f"Sensitivity, {executed} sabotaged scenarios; requirements: {verdicts}"]
    lines += [f"  mutants: {mutants or 'none was tried'}"]
    lines += [
        f"  {finding.word:<14} {finding.name}: {finding.reason}"
        for finding in findings([sensitivity], sensitivity.requirements)
        if finding.bad
    ]
    return "\n".join(lines)
