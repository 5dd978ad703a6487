"""The results as JUnit XML, which every CI server can show."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from helpers.report.run_results import Results
from helpers.scenario.result import Result, ScenarioResult
from helpers.sensitivity.mutant_ends import KILLED, Ends, Sensitivity

# XML 1.0 has no way to write these, and server messages may contain them.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ELEMENTS = {
    Result.FAIL: "failure",
    Result.XPASS: "failure",
    Result.FLAKY: "failure",
    Result.ERROR: "error",
    Result.XFAIL: "skipped",
    Result.SKIP: "skipped",
    Result.NOT_RUN: "skipped",
}


def write(results: Results, file: Path) -> None:
    """One suite a topic, one case a scenario; a known deviation is skipped and says why.

    A run with mutants has another suite, so that what fails the run is red here too.
    """
    suites: dict[str, list[ScenarioResult]] = defaultdict(list)
    for scenario in results.scenarios:
        suites[scenario.name.rpartition("/")[0]].append(scenario)
    top = ElementTree.Element("testsuites", name="regression")
    elements = dict(ELEMENTS)
    if results.run.get("allow_flaky"):  # the exit code does not count it, so no failure here either
        elements[Result.FLAKY] = "flakyFailure"
    if results.run.get("strict"):
        elements[Result.FIXED] = "failure"
    for name, scenarios in suites.items():
        kinds = [elements.get(scenario.result) for scenario in scenarios]
        suite = ElementTree.SubElement(
            top,
            "testsuite",
            name=name,
            tests=str(len(scenarios)),
            failures=str(kinds.count("failure")),
            errors=str(kinds.count("error")),
            skipped=str(kinds.count("skipped")),
            time=f"{sum(scenario.seconds for scenario in scenarios):.3f}",
            timestamp=results.run["started"].rstrip("Z"),
        )
        for scenario in scenarios:
            _add_case(suite, scenario, elements.get(scenario.result))
    if results.sensitivity:
        _add_sensitivity(top, results.sensitivity)
    tree = ElementTree.ElementTree(top)
    ElementTree.indent(tree)
    tree.write(file, encoding="utf-8", xml_declaration=True)


def _add_case(suite: ElementTree.Element, scenario: ScenarioResult, kind: str | None) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=scenario.name.rpartition("/")[0].strip("/").replace("/", "."),
        name=scenario.name.rpartition("/")[2],
        file=scenario.file,
        line=str(scenario.line),
        time=f"{scenario.seconds:.3f}",
    )
    properties = ElementTree.SubElement(case, "properties")
    for name, version in scenario.requirements:
        value = f"{name} {version}"
        ElementTree.SubElement(properties, "property", name="requirement", value=value)
    ElementTree.SubElement(properties, "property", name="subject", value=scenario.subject)
    if scenario.triage:
        value = _writable(scenario.triage)
        ElementTree.SubElement(properties, "property", name="triage", value=value)
    if scenario.attempts:
        value = ", ".join(scenario.attempts)
        ElementTree.SubElement(properties, "property", name="attempts", value=value)
    mark = scenario.deviation or {}
    for key in ("kind", "severity", "upstream"):
        if mark.get(key):
            ElementTree.SubElement(
                properties, "property", name=key, value=_writable(str(mark[key]))
            )
    reason = _writable(scenario.reason or "")
    if scenario.result == Result.XFAIL:
        judged = ", ".join(str(mark[key]) for key in ("kind", "severity") if mark.get(key))
        reason = f"known deviation{f' ({judged})' if judged else ''}: {reason}"
    if kind is not None:
        element = ElementTree.SubElement(case, kind, message=reason)
        if kind != "skipped":
            element.text = _writable(scenario.message or "")
    elif scenario.result == Result.FIXED:
        ElementTree.SubElement(case, "system-out").text = f"fixed? {reason}"


def _add_sensitivity(top: ElementTree.Element, sensitivity: Sensitivity) -> None:
    """One case for each requirement with mutants, each scenario and each idle mutant."""
    suite = ElementTree.SubElement(top, "testsuite", name="sensitivity")
    for verdict in sensitivity.requirements:
        kind = "failure" if verdict.bad else None if verdict.verdict == KILLED else "skipped"
        _add_verdict(suite, "requirements", verdict.name, verdict.mutants, kind, verdict.reason)
    for name, mutants in sensitivity.scenarios.items():
        blind = sensitivity.blind.get(name)
        if mutants or blind is not None:
            kind = None if blind is None else "failure"
            _add_verdict(suite, "scenarios", name, mutants, kind, f"blind: {blind}")
    for name in sensitivity.idle:
        _add_verdict(
            suite, "mutants", name, {}, "failure", "idle: this mutant never changed anything"
        )
    suite.set("tests", str(len(suite)))
    for kind in ("failure", "skipped"):
        suite.set(kind.replace("failure", "failures"), str(len(suite.findall(f"*/{kind}"))))


def _add_verdict(
    suite: ElementTree.Element,
    what: str,
    name: str,
    mutants: Ends,
    kind: str | None,
    reason: str,
) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=f"sensitivity.{what}", name=name)
    if mutants:
        properties = ElementTree.SubElement(case, "properties")
        for mutant, end in mutants.items():
            ElementTree.SubElement(properties, "property", name=f"mutant {end}", value=mutant)
    if kind:
        ElementTree.SubElement(case, kind, message=_writable(reason))


def _writable(text: str) -> str:
    return UNWRITABLE.sub("�", text)
