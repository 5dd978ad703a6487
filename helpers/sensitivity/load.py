"""Reading the sections on mutants of results.json; whatever is wrong with them is an error."""

from __future__ import annotations

from helpers.base.errors import UsageError
from helpers.base.fields import Entry
from helpers.sensitivity.assertion_score import AssertionScore, Unproven
from helpers.sensitivity.mutant_ends import (
    ENDS,
    GENERATED,
    TIMED_OUT,
    VERDICTS,
    Ends,
    MutantEntry,
    Sensitivity,
    Verdict,
)
from helpers.sensitivity.systematic import TOTAL_BAR, EquivalentMutant, Score, Survivor, Systematic

# Words of earlier versions.
EARLIER = {"endured": TIMED_OUT}


def read_mutants(value: object, place: str) -> tuple[Sensitivity | None, Systematic | None]:
    """The section `sensitivity`: written mutants, and generated ones; a run without mutants has none."""
    if value is None:
        return None, None
    section = Entry.of(value, place)
    only_generated = set(section.fields) == {GENERATED}
    return (
        None if only_generated else _written(section, place),
        _generated(section.fields.get(GENERATED), section.at(GENERATED)),
    )


def _written(section: Entry, place: str) -> Sensitivity:
    mutants = tuple(map(_mutant, section.entries("mutants")))
    known = {mutant.name for mutant in mutants}
    thorough = section.fields.get("thorough", True)
    if not isinstance(thorough, bool):
        raise UsageError(f"{place}.thorough is {thorough!r}, expected true or false")
    return section.build(
        Sensitivity,
        thorough=thorough,
        mutants=mutants,
        requirements=tuple(
            entry.build(
                Verdict, verdict=entry.one_of("verdict", VERDICTS), mutants=_ends(entry, known)
            )
            for entry in section.by_name("requirements").values()
        ),
        scenarios={
            name: _ends(entry, known) for name, entry in section.by_name("scenarios").items()
        },
        blind={
            name: entry.text("reason") or "" for name, entry in section.by_name("blind").items()
        },
    )


def _generated(value: object, place: str) -> Systematic | None:
    if value is None:
        return None
    section = Entry.of(value, place)
    bar = section.number("bar") if "bar" in section.fields else TOTAL_BAR
    if not 0 <= bar <= 1:
        raise UsageError(f"{section.at('bar')} is {bar}, expected a share between 0 and 1")
    return section.build(
        Systematic,
        bar=bar,
        total=section.build(Score),
        assertions=_assertions(section),
        requirements=_scores(section, "requirements"),
        scenarios=_scores(section, "scenarios"),
        survivors=tuple(
            entry.build(Survivor, **_texts(entry, "rerun"))
            for entry in section.entries("survivors")
        ),
        equivalents=tuple(
            entry.build(EquivalentMutant, **_texts(entry, "reason"))
            for entry in section.entries("equivalents")
        ),
    )


def _assertions(section: Entry) -> AssertionScore:
    """The score of assertions; runs of earlier versions have none."""
    if "assertions" not in section.fields:
        return AssertionScore()
    part = Entry.of(section.fields["assertions"], section.at("assertions"))
    return part.build(
        AssertionScore,
        unproven=tuple(
            entry.build(Unproven, **{key: entry.text(key) or "" for key in ("text", "reason")})
            for entry in part.entries("unproven")
        ),
    )


def _scores(section: Entry, key: str) -> dict[str, Score]:
    scores = {}
    for name, pair in section.mapping(key).items():
        match pair:
            case [int(killed), int(effective)] if 0 <= killed <= effective:
                scores[name] = Score(killed, effective)
            case _:
                raise UsageError(f"{section.at(key)} {name} is {pair!r}, expected two numbers")
    return scores


def _texts(entry: Entry, last: str) -> dict[str, str]:
    """What a generated mutant has to say of itself."""
    return {key: entry.required_text(key) for key in ("scenario", "mutant", "text", last)}


def _mutant(entry: Entry) -> MutantEntry:
    tolerated = entry.mapping("tolerated") if entry.fields.get("tolerated") else {}
    texts = {str(name): str(reason) for name, reason in tolerated.items()}
    return entry.build(MutantEntry, name=entry.name, tolerated=texts)


def _ends(entry: Entry, known: set[str]) -> Ends:
    ends = Entry.of(entry.fields.get("mutants"), entry.at("mutants"))
    ends = Entry(
        {name: EARLIER.get(str(end), end) for name, end in ends.fields.items()}, ends.place
    )
    for mutant in ends.fields:
        ends.one_of(mutant, ENDS)
        if mutant not in known:
            raise UsageError(f"{ends.place} names {mutant!r}, which is not among the mutants")
    return dict(ends.fields)
