"""What sabotage showed in a run: what became of each mutant, and which requirements that proves."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from helpers.errors import UsageError
from helpers.report.fields import as_list, as_object, named, one_of, text, texts

KILLED, SURVIVED, BROKEN, ENDURED, NOT_APPLICABLE, TOLERATED, UNSETTLED = (
    "killed",
    "survived",
    "broken",
    "endured",
    "not applicable",
    "tolerated",
    "unsettled",
)
IMMUNE, NO_MUTANT = "immune", "no mutant"

ENDS: Mapping[str, str] = {
    BROKEN: "it stumbled over itself, so it proves nothing",
    SURVIVED: "it lied and nobody noticed",
    KILLED: "a scenario noticed it",
    TOLERATED: "it survived, and it is written down why that cannot be otherwise",
    UNSETTLED: "it survived where it was let loose, and not everything was tried (--fast)",
    ENDURED: "scenarios waited in vain until their time was up; that is no kill",
    NOT_APPLICABLE: "it never lied there",
}
"""What may become of a mutant. Where it meets with several ends, the first of these is told: a
requirement that it survived is not made good by another one that noticed it."""

VERDICTS: Mapping[str, str] = {
    BROKEN: "a mutant stumbled over itself",
    SURVIVED: "a mutant lied and nobody noticed",
    NO_MUTANT: "nothing was there to violate it",
    KILLED: "its scenarios notice when it is violated",
    IMMUNE: "no mutant can violate it, and it is written down why",
    NOT_APPLICABLE: "its scenarios cannot run here, or were never lied to",
}
"""What sabotage may say of a requirement, worst first."""


@dataclass(frozen=True)
class Verdict:
    """What became of the mutants of one requirement; the fields are the keys in results.json."""

    name: str
    verdict: str
    reason: str
    mutants: Mapping[str, str]

    @property
    def bad(self) -> bool:
        """Whether it fails the check. Not applicable may be a lack of the environment, or of lies."""
        lacking = self.verdict == NOT_APPLICABLE and bool(self.mutants)
        return lacking or self.verdict in (SURVIVED, NO_MUTANT, BROKEN)

    @property
    def killed(self) -> int:
        return list(self.mutants.values()).count(KILLED)

    @property
    def lied(self) -> int:
        """The mutants that had a chance to be noticed."""
        return sum(end != NOT_APPLICABLE for end in self.mutants.values())

    def marked(self, state: str, reason: str | None) -> tuple[str, str | None]:
        """The state of its requirement: what lets a mutant live is not verified, whatever passed."""
        if state != "verified":
            return state, reason
        return ("failing", f"not proven: {self.reason}") if self.bad else (state, self.reason)


@dataclass(frozen=True)
class Sabotage:
    """A mutant: what it does, and for which requirements it may survive, with the reason."""

    name: str
    about: str
    violates: tuple[str, ...] = ()
    tolerated: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sensitivity:
    """The sabotage of one run. Only a thorough one can tell who is blind and who is idle."""

    thorough: bool
    mutants: tuple[Sabotage, ...]
    requirements: tuple[Verdict, ...]
    scenarios: Mapping[str, Mapping[str, str]]
    blind: Mapping[str, str]
    idle: tuple[str, ...]

    @property
    def verdicts(self) -> dict[str, Verdict]:
        return {one.name: one for one in self.requirements}


def ends(verdicts: Iterable[Verdict]) -> dict[str, str]:
    """What became of each mutant over these requirements."""
    order = list(ENDS)
    found: dict[str, str] = {}
    for verdict in verdicts:
        for mutant, end in verdict.mutants.items():
            found[mutant] = min(found.get(mutant, end), end, key=order.index)
    return found


def tally(words: Iterable[str], order: Iterable[str]) -> dict[str, int]:
    """How many of each, in this order, none left out that occurs."""
    found = Counter(words)
    return {word: found[word] for word in order if found[word]}


def worst(verdicts: Iterable[Verdict | None]) -> Verdict | None:
    """One verdict over several runs: what fails the check anywhere first."""
    told = [one for one in verdicts if one]
    order = list(VERDICTS)
    return min(told, key=lambda one: (not one.bad, order.index(one.verdict)), default=None)


def read_sensitivity(value: object, place: str) -> Sensitivity | None:
    """The section of results.json; a run without sabotage has none."""
    if value is None:
        return None
    fields = as_object(value, place)
    sabotages = tuple(
        _sabotage(entry, f"{place}.mutants[{index}]")
        for index, entry in enumerate(as_list(fields.get("mutants"), f"{place}.mutants"))
    )
    known = {one.name for one in sabotages}
    entries: dict[str, dict[str, Mapping[str, object]]] = {}
    for key in ("requirements", "scenarios", "blind"):
        entries[key] = {}
        for index, entry in enumerate(as_list(fields.get(key), f"{place}.{key}")):
            one = named(entry, f"{place}.{key}[{index}]")
            if one["name"] in entries[key]:
                raise UsageError(f"{place}.{key} has {one['name']} twice")
            entries[key][one["name"]] = one
    thorough = fields.get("thorough", True)
    if not isinstance(thorough, bool):
        raise UsageError(f"{place}.thorough is {thorough!r}, expected true or false")
    return Sensitivity(
        thorough=thorough,
        mutants=sabotages,
        requirements=tuple(
            Verdict(
                name=name,
                verdict=one_of(one, "verdict", tuple(VERDICTS), f"{place}.requirements {name}"),
                reason=text(one, "reason") or "",
                mutants=_ends(one, known, f"{place}.requirements {name}"),
            )
            for name, one in entries["requirements"].items()
        ),
        scenarios={
            name: _ends(one, known, f"{place}.scenarios {name}")
            for name, one in entries["scenarios"].items()
        },
        blind={name: text(one, "reason") or "" for name, one in entries["blind"].items()},
        idle=texts(fields, "idle", place),
    )


def _sabotage(entry: object, place: str) -> Sabotage:
    fields = named(entry, place)
    tolerated = as_object(fields.get("tolerated") or {}, f"{place}.tolerated")
    return Sabotage(
        name=fields["name"],
        about=text(fields, "about") or "",
        violates=texts(fields, "violates", place),
        tolerated={str(name): str(reason) for name, reason in tolerated.items()},
    )


def _ends(fields: Mapping[str, object], known: set[str], place: str) -> dict[str, str]:
    told = as_object(fields.get("mutants"), f"{place}.mutants")
    for mutant in told:
        one_of(told, mutant, tuple(ENDS), f"{place}.mutants")
        if mutant not in known:
            raise UsageError(f"{place}.mutants names {mutant!r}, which is not among the mutants")
    return dict(told)
