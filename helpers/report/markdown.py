"""coverage.md: the report in short, for a pull request or a job summary."""

import re
from collections.abc import Iterable, Sequence

from helpers.base.escaping import printable
from helpers.report.columns import Column, Counts
from helpers.report.deviations import KINDS, SeenDeviation, headline
from helpers.report.report import Comparison, Report
from helpers.report.states import ACROSS_RUNS, MEANINGS
from helpers.scenario.result import ScenarioResult, State
from helpers.sensitivity import summary
from helpers.sensitivity.systematic import Systematic

SHOWN = 20
"""Holes of one state that are listed; a job summary is read, not searched."""


def render_markdown(report: Report) -> str:
    """Verdict, runs, specifications, what changed, then the holes with their reasons."""
    lines = [f"# {_headline(report)}", ""]
    if report.deviations:
        lines += [f"Known deviations: **{headline(report.deviations)}**", ""]
    gone = report.comparison.gone if report.comparison else ()
    lines += [f"> {_safe(note)}\n" for note in (*report.notes, *gone)]
    lines += _regressed(report)
    lines += _listed("Fixed?", report.fixed, report)
    lines += _differences(report)
    lines += _listed("Scenarios not as expected", report.failures, report)
    lines += _specifications(report)
    lines += _runs(report)
    if report.comparison:
        lines += _comparison(report.comparison)
    if report.score:
        lines += _sensitivity(report.score)
    for column in report.columns:
        if column.systematic:
            lines += _systematic(column.label, column.systematic)
    lines += _holes(report)
    return "\n".join(lines).rstrip() + "\n"


def _headline(report: Report) -> str:
    failures, since = len(report.failures), report.comparison
    failed = f", {failures} scenario{'s' if failures > 1 else ''} failed" if failures else ""
    verified = f"{report.counts.get(State.VERIFIED, 0)} of {report.total} verified{failed}"
    if since is None:
        return f"Coverage: {verified}"
    regressed = len(since.regressed_causes) or "nothing"
    return f"{regressed} regressed since {_safe(since.base)}: {verified}"


def _regressed(report: Report) -> list[str]:
    """What somebody has to look at now, with the reasons; requirements follow from it."""
    if not report.comparison or not report.comparison.regressed:
        return []
    failed = {scenario.name: scenario for _, scenario in report.failures}
    lines = [
        f"- `{change.name}` {_safe(change.what)} {_why(failed.get(change.name))}".rstrip()
        for change in report.comparison.regressed_causes
    ]
    return [*_first(lines), ""]


def _why(scenario: ScenarioResult | None) -> str:
    """Why a scenario failed, and whose fault it is."""
    if scenario is None:
        return ""
    triage = f" — *{_safe(scenario.triage)}*" if scenario.triage else ""
    return f"{_safe(scenario.reason or '')}{triage}"


def _differences(report: Report) -> list[str]:
    """What passed in one run and not in another: versions or environments that do not agree."""
    if not report.differences:
        return []
    lines = [
        f"- `{difference.name}`: {_safe(difference.text(report.columns))}"
        for difference in report.differences
    ]
    return [f"## Differ between the runs: {len(lines)}", "", *_first(lines), ""]


def _listed(
    title: str, scenarios: Sequence[tuple[Column, ScenarioResult]], report: Report
) -> list[str]:
    """Scenarios with their results and reasons, including those without a requirement."""
    if not scenarios:
        return []
    several = len(report.columns) > 1
    lines = [
        f"- {scenario.result}: `{scenario.name}`{f' in {_safe(column.label)}' if several else ''}"
        f" {_why(scenario)}".rstrip()
        for column, scenario in scenarios
    ]
    return [f"## {title}: {len(lines)}", "", *lines, ""]


def _specifications(report: Report) -> list[str]:
    states = [state for state in ACROSS_RUNS if report.counts.get(state)]
    rows = [
        [
            _safe(f"{specification.name} {specification.title}"),
            specification.total,
            *_counts(report, states, specification.counts, specification.mutants),
        ]
        for specification in report.specifications
    ]
    mutants = report.score.mutants if report.score else {}
    rows += [["**all**", report.total, *_counts(report, states, report.counts, mutants)]]
    return _table(["specification", "total", *states, *_mutant_columns(report)], rows)


def _runs(report: Report) -> list[str]:
    states = [s for s in ACROSS_RUNS if any(column.counts.get(s) for column in report.columns)]
    rows = [
        [
            _safe(column.label),
            _safe(column.facts.get("started") or ""),
            _safe(column.facts.get("seconds") or ""),
            ", ".join(f"{count} {name}" for name, count in column.results.items()) or "none",
            *_counts(report, states, column.counts, column.mutants),
        ]
        for column in report.columns
    ]
    head = ["run", "started", "seconds", "scenarios", *states, *_mutant_columns(report)]
    return _table(head, rows)


def _mutant_columns(report: Report) -> Sequence[str]:
    return summary.HEAD if report.score else ()


def _counts(
    report: Report, states: Sequence[State], counts: Counts, mutants: Counts
) -> list[object]:
    """The cells of a row behind its title and total."""
    cells = summary.cells(mutants) if report.score else []
    return [*(counts.get(state, 0) for state in states), *cells]


def _holes(report: Report) -> list[str]:
    lines = []
    for state, rows in report.holes:
        if state == State.DEVIATES:
            lines += _deviations(report.deviations)
            continue
        lines += [
            f"## {state.capitalize()}: {len(rows)}",
            "",
            f"{MEANINGS[state].capitalize()}.",
            "",
        ]
        lines += _first([f"- `{row.name}` {_safe(row.reason or '')}" for row in rows])
        lines += [""]
    return lines


def _deviations(found: Sequence[SeenDeviation]) -> list[str]:
    """A table for each kind, the worst first: how bad, what, since when, and where it was reported."""
    lines = []
    for kind, meaning in KINDS.items():
        own = [deviation for deviation in found if deviation.kind == kind]
        if not own:
            continue
        rows = [
            f"| {one.severity or 'not judged'} | `{one.id}`: {_safe(one.reason)} "
            f"| {_safe(one.versions)} | {f'<{one.upstream}>' if one.upstream else ''} |"
            for one in own
        ]
        lines += [
            f"## Deviations, {kind}: {len(own)}",
            "",
            f"{meaning[0].upper()}{meaning[1:]}.",
            "",
        ]
        lines += ["| severity | deviation | ClickHouse | upstream |", "|---|---|---|---|"]
        lines += [*_first(rows, "| | and {} more | | |"), ""]
    return lines


def _sensitivity(of: summary.Summary) -> list[str]:
    findings = [
        f"- {finding.word}: `{finding.name}` {_safe(finding.reason)}" for finding in of.findings
    ]
    return ["## Sensitivity", "", f"{of}.", "", *_first(findings), ""]


def _systematic(run: str, of: Systematic) -> list[str]:
    lines = [f"- weak: `{name}` {scored}" for name, scored in of.weak.items()]
    lines += [f"- not judged: {_safe(of.unjudged())}"] if of.too_few else []
    if not of.is_sample:
        lines += [
            f"- unproven: no mutant ends at `{each.place}`: {_safe(each.text)} {_safe(each.reason)}"
            for each in of.assertions.unproven
        ]
    lines += [
        f"- survived: {_safe(survivor.mutant)} in `{survivor.scenario}`: {_safe(survivor.text)}"
        for survivor in of.survivors
    ]
    return [f"## Generated mutants: {_safe(run)}", "", f"{of.counts()}.", "", *_first(lines), ""]


def _first(lines: Sequence[str], more: str = "- and {} more") -> list[str]:
    """The first lines, and how many more there are."""
    left = len(lines) - SHOWN
    return [*lines[:SHOWN], *([more.format(left)] if left > 0 else [])]


def _comparison(since: Comparison) -> list[str]:
    lines = [f"- not compared: {_safe(name)}" for name in since.not_compared]
    for title, changes in since.results():
        changed = [f"- {title}: `{change.name}` {_safe(change.what)}" for change in changes]
        lines += _first(changed, f"- {title}: {{}} more")
    for title, names in since.texts():
        changed = [f"- requirement {title}: {_safe(name)}" for name in names]
        lines += _first(changed, f"- requirements {title}: {{}} more")
    return [f"## Since {_safe(since.base)}", "", *(lines or ["Nothing changed."]), ""]


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return [*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows), ""]


def _safe(text: object) -> str:
    """One line in which nothing is taken for markup; names and reasons come from anywhere."""
    return re.sub(r"([\\|<>`*_\[\]])", r"\\\1", " ".join(printable(str(text)).split()))
