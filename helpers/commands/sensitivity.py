"""`sensitivity`: sabotage the product and count who notices."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from helpers import mutants
from helpers.errors import ALL_AS_EXPECTED, FAILURES, UsageError
from helpers.report.project import read_tree
from helpers.report.sensitivity import ENDS, NO_MUTANT, Verdict, ends, tally
from helpers.runner import options as run_options
from helpers.runner import sensitivity
from helpers.runner.discover import load
from helpers.runner.hunt import Fast, Thorough, fitting
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
    parser.add_argument("--fast", action="store_true", help="one mutant a requirement")
    given = parser.parse_args(arguments)
    options = run_options.checked(given)
    known = mutants.load(options.scenarios)
    if options.mutant:
        known = {options.mutant: mutants.named(options.mutant, options.scenarios)}
    if options.list:
        print("\n".join(f"{one.name}: {one.about}" for one in known.values()))
        return ALL_AS_EXPECTED
    if not known:
        raise UsageError("There are no mutants (scenarios/<feature>/_mutants*.py).")
    usual = dataclasses.replace(options, mutant=None)
    return _run(usual, known, fast=given.fast, alone=bool(options.mutant))


def _run(
    options: run_options.Options, known: dict[str, mutants.Mutant], *, fast: bool, alone: bool
) -> int:
    tree = read_tree()
    chosen, everything = choose(options, tree), load(options.scenarios)
    aimed_at = [one for one in chosen if fitting(one, list(known.values()))]
    if not aimed_at:
        raise UsageError("No mutant violates what these scenarios verify.")
    if alone:  # nothing is said of what this mutant leaves alone
        chosen = aimed_at
    hunt = (Fast if fast else Thorough)(chosen, list(known.values()))
    with opened(options) as folder:
        carried = Carried(folder, options, hunt.first(), hunt.more)
        ran = [(one, record) for one, record in carried.pairs if not one.mutant]
        scenarios, as_they_are = [one for one, _ in ran], [record for _, record in ran]
        records = {record["name"]: record for record in carried.records}
        immune = mutants.immune(options.scenarios)
        verdicts = sensitivity.judge(chosen, known, records, immune, thorough=not fast)
        found = Findings(
            [one for one in verdicts if not (alone and one.verdict == NO_MUTANT)],
            {} if fast or alone else sensitivity.blind(chosen, records, immune),
            [] if fast else sensitivity.idle(everything, known, records),
            len(records) - len(scenarios),
        )
        code = carried.exit_code(as_they_are)
        if code == ALL_AS_EXPECTED and found.bad:
            code = FAILURES
        document = carried.document(tree, carried.entries(scenarios, as_they_are), code)
        document["sensitivity"] = sensitivity.section(
            found.verdicts, found.blind, found.idle, scenarios, known, records, thorough=not fast
        )
        _mark(document, found.verdicts)
        carried.write(document)
        carried.raise_if_failed()
    print(found, flush=True)
    return code


@dataclasses.dataclass(frozen=True)
class Findings:
    """What a sensitivity run has found; as text, what is said on the console."""

    verdicts: list[Verdict]
    blind: dict[str, str]
    idle: list[str]
    sabotaged: int

    @property
    def bad(self) -> bool:
        return bool(self.blind or self.idle or any(one.bad for one in self.verdicts))

    def __str__(self) -> str:
        counts = Counter(one.verdict for one in self.verdicts)
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        lines = [f"Sensitivity, {self.sabotaged} sabotaged scenarios; requirements: {told}"]
        mutants = tally(ends(self.verdicts).values(), ENDS)
        told = ", ".join(f"{count} {end}" for end, count in mutants.items())
        lines += [f"  mutants: {told or 'none was let loose'}"]
        for one in self.verdicts:
            if one.bad:
                lines.append(f"  {one.verdict:<14} {one.name}: {one.reason}")
        lines += [f"  {'blind':<14} {name}: {reason}" for name, reason in self.blind.items()]
        lines += [
            f"  {'idle':<14} {name}: this mutant never lied, so it proved nothing"
            for name in self.idle
        ]
        return "\n".join(lines)


def _mark(document: dict[str, Any], verdicts: list[Verdict]) -> None:
    """A requirement whose scenarios let a mutant live is not verified, whatever they said."""
    by_name = {one.name: one for one in verdicts}
    for entry in document["requirements"]:
        verdict = by_name.get(entry["name"])
        entry["sensitivity"] = verdict and f"{verdict.verdict}: {verdict.reason}"
        if verdict is not None:
            entry["state"], entry["reason"] = verdict.marked(entry["state"], entry["reason"])
