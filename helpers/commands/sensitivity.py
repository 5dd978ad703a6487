"""`sensitivity`: sabotage the product and count who notices."""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from typing import Any

from helpers import mutants
from helpers.errors import ALL_AS_EXPECTED, FAILURES, UsageError
from helpers.report.project import read_tree
from helpers.runner import options as run_options
from helpers.runner import sensitivity
from helpers.runner.discover import AT
from helpers.runner.run import Carried, choose, opened

DESCRIPTION = """\
Let every mutant loose on the scenarios of the requirements it violates, and report who notices.

A mutant is a small lie between a scenario and its server: REPLACE PARTITION does nothing, a refusal
has another code, a row too many. It is killed by a scenario that passes without it and fails with it.
Exit code 1 if a mutant survives, a scenario is blind, or a requirement has no mutant at all.
"""


def main(arguments: list[str]) -> int:
    parser = run_options.parser()
    parser.prog = "./regression.py sensitivity"
    parser.description, parser.epilog = DESCRIPTION, None
    parser.add_argument("--fast", action="store_true", help="one mutant for each requirement")
    given = parser.parse_args(arguments)
    options = run_options.checked(given)
    known = mutants.load(options.scenarios)
    if options.mutant:
        known = {options.mutant: mutants.named(options.mutant, options.scenarios)}
    if options.list:
        print("\n".join(f"{one.name}: {one.about}" for one in known.values()))
        return ALL_AS_EXPECTED
    if not known:
        raise UsageError("There are no mutants (scenarios/<feature>/_mutants.py).")
    return _run(dataclasses.replace(options, mutant=None), known, given.fast)


def _run(options: run_options.Options, known: dict[str, mutants.Mutant], fast: bool) -> int:
    tree = read_tree()
    chosen = choose(options, tree)
    jobs = sensitivity.mutated(chosen, list(known.values()), fast=fast)
    if not jobs:
        raise UsageError("No mutant violates what these scenarios verify.")
    needed = {job.name.partition(AT)[0] for job in jobs} if fast else {one.name for one in chosen}
    baseline = [one for one in chosen if one.name in needed]
    with opened(options) as folder:
        carried = Carried(folder, options, [*baseline, *jobs])
        records = {record["name"]: record for record in carried.records}
        entries = carried.entries(baseline, carried.records[: len(baseline)])
        code = carried.exit_code(carried.records[: len(baseline)])
        verdicts = sensitivity.judge(baseline, known, records, mutants.immune(options.scenarios))
        blind = [] if fast else sensitivity.blind(baseline, records)
        if code == ALL_AS_EXPECTED and (blind or any(map(sensitivity.bad, verdicts))):
            code = FAILURES
        document = carried.document(tree, entries, code)
        document["sensitivity"] = sensitivity.section(verdicts, blind, known)
        _mark(document, verdicts)
        carried.write(document)
        carried.raise_if_failed()
    print(_summary(verdicts, blind, len(jobs)), file=sys.stdout)
    return code


def _mark(document: dict[str, Any], verdicts: list[sensitivity.Verdict]) -> None:
    """A requirement whose scenarios let a mutant live is not verified, whatever they said."""
    bad = {one.name: one for one in verdicts if one.verdict == sensitivity.SURVIVED}
    for entry in document["requirements"]:
        verdict = next((one for one in verdicts if one.name == entry["name"]), None)
        entry["sensitivity"] = verdict and f"{verdict.verdict}: {verdict.reason}"
        if entry["name"] in bad and entry["state"] == "verified":
            entry["state"], entry["reason"] = "failing", bad[entry["name"]].reason


def _summary(verdicts: list[sensitivity.Verdict], blind: list[str], jobs: int) -> str:
    counts = Counter(one.verdict for one in verdicts)
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    lines = ["", f"Sensitivity, {jobs} sabotaged scenarios: {told}"]
    for one in verdicts:
        if sensitivity.bad(one):
            lines.append(f"  {one.verdict:<14} {one.name}: {one.reason}")
    lines += [f"  blind          {name}: it was lied to and never noticed" for name in blind]
    return "\n".join(lines)
