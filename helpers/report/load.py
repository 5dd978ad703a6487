"""Reading results.json: every error in it is reported in one line, nothing is guessed."""

import json
from collections import Counter
from pathlib import Path

from helpers.base.errors import UsageError
from helpers.base.fields import Entry
from helpers.report.run_results import RESULTS_FILE, Results
from helpers.scenario.result import (
    SCHEMA,
    Broke,
    Link,
    RequirementState,
    Result,
    ScenarioResult,
    State,
    Subject,
)
from helpers.sensitivity.load import read_mutants
from helpers.sensitivity.mutant_ends import GENERATED


def load_results(path: Path) -> Results:
    """The results in this file, or in the results.json of this folder."""
    file = path / RESULTS_FILE if path.is_dir() else path
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
    """The JSON value; a document that was cut off gets another error than one that is no JSON."""
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
    top = Entry(document, f"{source}:")
    scenarios = tuple(map(read_scenario, top.entries("scenarios")))
    requirements = tuple(map(read_requirement, top.entries("requirements")))
    if not requirements:
        raise UsageError(f"{source}: names no requirements; nothing can be shown")
    names = Counter((requirement.name, requirement.subject) for requirement in requirements)
    for (name, _), count in names.items():
        if count > 1:
            raise UsageError(f"{source}: has the requirement {name} twice")
    section = document.get("sensitivity")
    if section is None and "systematic" in document:  # as earlier versions wrote it
        section = {GENERATED: document["systematic"]}
    mutants = read_mutants(section, f"{source}: sensitivity")
    return Results(source, run, scenarios, requirements, *mutants)


def read_scenario(entry: Entry) -> ScenarioResult:
    """One entry of `scenarios`."""
    links = entry.fields.get("requirements") or []
    if not isinstance(links, list) or not all(isinstance(link, dict) for link in links):
        raise UsageError(f"{entry.place}.requirements is not a list of names and versions")
    return entry.build(
        ScenarioResult,
        name=entry.name,
        result=Result(entry.one_of("result", Result)),
        subject=_subject(entry),
        obligations=tuple(
            {str(key): str(value) for key, value in each.fields.items()}
            for each in (entry.entries("obligations") if "obligations" in entry.fields else ())
        ),
        requirements=tuple(Link(str(link.get("name")), str(link.get("version"))) for link in links),
        deviation=entry.mapping("deviation") if entry.fields.get("deviation") is not None else None,
        broke=Broke(entry.one_of("broke", Broke)) if entry.fields.get("broke") else None,
        code={key: str(value) for key, value in entry.mapping("code").items()}
        if entry.fields.get("code")
        else {},
    )


def read_requirement(entry: Entry) -> RequirementState:
    """One entry of `requirements`."""
    state = State(entry.one_of("state", State))
    return entry.build(RequirementState, name=entry.name, state=state, subject=_subject(entry))


def _subject(entry: Entry) -> Subject:
    """What was tested; results of earlier versions do not say, and mean ClickHouse."""
    return (
        Subject(entry.one_of("subject", Subject))
        if "subject" in entry.fields
        else Subject.CLICKHOUSE
    )
