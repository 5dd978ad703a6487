"""Reading results.json: whatever is wrong with it is said in one line, nothing is guessed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.errors import UsageError
from helpers.report.fields import as_list, named, number, one_of, text, texts
from helpers.report.records import RequirementState, ScenarioResult
from helpers.report.sensitivity import Sensitivity, read_sensitivity
from helpers.report.states import State

SCHEMA = 1
RESULTS = ("OK", "Fail", "Error", "XFail", "XPass", "Skip", "NotRun")
"""How a scenario can end, in the order reports count them."""
STATES = tuple(map(str, State))


@dataclass(frozen=True)
class Results:
    """One run: its facts, its scenarios and what it says about each requirement."""

    source: str
    run: Mapping[str, Any]
    scenarios: tuple[ScenarioResult, ...]
    requirements: tuple[RequirementState, ...]
    sensitivity: Sensitivity | None = None

    @property
    def id(self) -> str:
        return str(self.run.get("id") or self.source)


def load_results(path: Path) -> Results:
    """The results in this file, or in the results.json of this folder."""
    file = path / "results.json" if path.is_dir() else path
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            f"{file}: there are no results here; run ./regression.py first, or name a results.json"
        ) from None
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    return read_results(_decoded(raw, file), str(file))


def _decoded(raw: bytes, file: Path) -> object:
    """The JSON value; a document that just stops is told from one that is something else."""
    if not raw.strip():
        raise UsageError(f"{file}: is empty; the run wrote nothing, so nothing can be shown")
    cut_off = UsageError(
        f"{file}: is cut off at byte {len(raw)}, in the middle of a value; "
        "what it held is lost and nothing can be shown; run again"
    )
    looks_right = raw.lstrip().startswith(b"{")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        if looks_right and error.start > len(raw) - 4:
            raise cut_off from None
        raise UsageError(
            f"{file}: is not a results.json: byte {error.start} is not UTF-8 text"
        ) from None
    try:
        return json.loads(text)
    except RecursionError:
        raise UsageError(f"{file}: is not a results.json: it is nested too deeply") from None
    except json.JSONDecodeError as error:
        # The decoder stops at the end of a document that was cut, or at the start of the
        # string, literal or escape that the cut went through.
        unterminated = error.msg.startswith("Unterminated string")
        if looks_right and (unterminated or error.pos >= len(text.rstrip()) - 6):
            raise cut_off from None
        raise UsageError(
            f"{file}:{error.lineno}:{error.colno}: is not JSON: {error.msg}; "
            "name a results.json that ./regression.py wrote"
        ) from None


def read_results(document: object, source: str) -> Results:
    """Results from a decoded document; an entry that does not fit the schema is an error."""
    if not isinstance(document, dict) or "schema" not in document:
        raise UsageError(f"{source}: is not a results.json: it has no schema; nothing can be shown")
    # True is 1 to Python, and no schema.
    if document["schema"] is True or document["schema"] != SCHEMA:
        raise UsageError(
            f"{source}: has schema {document['schema']!r}, this program reads schema {SCHEMA}; "
            "use the version of the program that wrote it, or run again"
        )
    run = document.get("run")
    if not isinstance(run, dict):
        raise UsageError(f"{source}: run is missing or not an object; nothing can be shown")
    scenarios = tuple(
        read_scenario(entry, f"{source}: scenarios[{index}]")
        for index, entry in enumerate(as_list(document.get("scenarios"), f"{source}: scenarios"))
    )
    requirements = tuple(
        read_requirement(entry, f"{source}: requirements[{index}]")
        for index, entry in enumerate(
            as_list(document.get("requirements"), f"{source}: requirements")
        )
    )
    if not requirements:
        raise UsageError(f"{source}: names no requirements; nothing can be shown")
    seen: set[str] = set()
    for requirement in requirements:
        if requirement.name in seen:
            raise UsageError(f"{source}: has the requirement {requirement.name} twice")
        seen.add(requirement.name)
    sensitivity = read_sensitivity(document.get("sensitivity"), f"{source}: sensitivity")
    return Results(source, run, scenarios, requirements, sensitivity)


def read_scenario(entry: object, place: str) -> ScenarioResult:
    """One entry of `scenarios`."""
    fields = named(entry, place)
    links = fields.get("requirements") or []
    if not isinstance(links, list) or not all(isinstance(link, dict) for link in links):
        raise UsageError(f"{place}.requirements is not a list of names and versions")
    deviation = fields.get("deviation")
    if deviation is not None and not isinstance(deviation, dict):
        raise UsageError(f"{place}.deviation is not an object")
    return ScenarioResult(
        name=fields["name"],
        result=one_of(fields, "result", RESULTS, place),
        reason=text(fields, "reason"),
        seconds=number(fields, "seconds", place),
        file=text(fields, "file") or "",
        line=int(number(fields, "line", place)),
        requirements=tuple((str(link.get("name")), str(link.get("version"))) for link in links),
        step=text(fields, "step"),
        message=text(fields, "message"),
        deviation=deviation,
        rerun=text(fields, "rerun"),
        folder=text(fields, "folder"),
        statements=texts(fields, "statements", place),
    )


def read_requirement(entry: object, place: str) -> RequirementState:
    """One entry of `requirements`."""
    fields = named(entry, place)
    return RequirementState(
        name=fields["name"],
        version=str(fields.get("version") or ""),
        specification=text(fields, "specification") or "",
        file=text(fields, "file") or "",
        line=int(number(fields, "line", place)),
        state=one_of(fields, "state", STATES, place),
        reason=text(fields, "reason"),
        scenarios=texts(fields, "scenarios", place),
        title=text(fields, "title") or "",
        section=texts(fields, "section", place),
        text=text(fields, "text") or "",
        hash=text(fields, "hash") or "",
    )
