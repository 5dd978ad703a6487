"""The results as JUnit XML, which every CI server can show."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from helpers.report.sensitivity import KILLED, Sensitivity, read_sensitivity

# XML 1.0 has no way to write these, and server messages may contain them.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
FAILED = {
    "Fail": "failure",
    "XPass": "failure",
    "Error": "error",
    "Skip": "skipped",
    "NotRun": "skipped",
}


def write(results: dict[str, Any], file: Path) -> None:
    """One suite a topic, one case a scenario; a known deviation passes and says so.

    A run with sabotage has another suite, so that what fails the run is red here too.
    """
    suites: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for scenario in results["scenarios"]:
        suites[scenario["name"].rpartition("/")[0]].append(scenario)
    top = ElementTree.Element("testsuites", name="regression")
    for name, scenarios in suites.items():
        kinds = [FAILED.get(one["result"]) for one in scenarios]
        suite = ElementTree.SubElement(
            top,
            "testsuite",
            name=name,
            tests=str(len(scenarios)),
            failures=str(kinds.count("failure")),
            errors=str(kinds.count("error")),
            skipped=str(kinds.count("skipped")),
            time=f"{sum(one['seconds'] for one in scenarios):.3f}",
            timestamp=results["run"]["started"].rstrip("Z"),
        )
        for scenario in scenarios:
            _add_case(suite, scenario)
    sabotage = read_sensitivity(results.get("sensitivity"), "this run")
    if sabotage:
        _add_sensitivity(top, sabotage)
    tree = ElementTree.ElementTree(top)
    ElementTree.indent(tree)
    tree.write(file, encoding="utf-8", xml_declaration=True)


def _add_case(suite: ElementTree.Element, scenario: dict[str, Any]) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=scenario["name"].rpartition("/")[0].strip("/").replace("/", "."),
        name=scenario["name"].rpartition("/")[2],
        file=scenario["file"],
        line=str(scenario["line"]),
        time=f"{scenario['seconds']:.3f}",
    )
    properties = ElementTree.SubElement(case, "properties")
    for link in scenario["requirements"]:
        ElementTree.SubElement(
            properties, "property", name="requirement", value=f"{link['name']} {link['version']}"
        )
    kind = FAILED.get(scenario["result"])
    reason = _writable(scenario.get("reason") or "")
    if kind is not None:
        told = ElementTree.SubElement(case, kind, message=reason)
        if kind != "skipped":
            told.text = _writable(scenario.get("message") or "")
    elif scenario["result"] == "XFail":
        ElementTree.SubElement(case, "system-out").text = f"known deviation: {reason}"


def _add_sensitivity(top: ElementTree.Element, sabotage: Sensitivity) -> None:
    """One case for each requirement that was sabotaged, each scenario and each idle mutant."""
    suite = ElementTree.SubElement(top, "testsuite", name="sensitivity")
    for one in sabotage.requirements:
        kind = "failure" if one.bad else None if one.verdict == KILLED else "skipped"
        _add_proof(suite, "requirements", one.name, one.mutants, kind, one.reason)
    for name, mutants in sabotage.scenarios.items():
        blind = sabotage.blind.get(name)
        if mutants or blind is not None:
            kind = None if blind is None else "failure"
            _add_proof(suite, "scenarios", name, mutants, kind, f"blind: {blind}")
    for name in sabotage.idle:
        _add_proof(suite, "mutants", name, {}, "failure", "idle: this mutant never lied")
    suite.set("tests", str(len(suite)))
    for kind in ("failure", "skipped"):
        suite.set(kind.replace("failure", "failures"), str(len(suite.findall(f"*/{kind}"))))


def _add_proof(
    suite: ElementTree.Element,
    what: str,
    name: str,
    mutants: Mapping[str, str],
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
