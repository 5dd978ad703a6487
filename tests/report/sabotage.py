"""A small run with sabotage in which every verdict and every end of a mutant occurs."""

from __future__ import annotations

from typing import Any

ABOUT = 'It says done & does nothing <img src=x onerror="alert(1)">.'
KEPT_OPEN = "its rows are read once only"
VERDICTS: dict[str, tuple[str, str, str, dict[str, str]]] = {
    # requirement: state, verdict, reason, mutants
    "Seen": (
        "verified",
        "killed",
        "2 of 3 mutants killed",
        {
            "does-nothing": "killed",
            "other-code": "killed",
            "open": "tolerated",
            "odd": "not applicable",
        },
    ),
    "Lived": (
        "failing",
        "survived",
        "too-many was not noticed",
        {"does-nothing": "killed", "waits": "timed out", "too-many": "survived"},
    ),
    "Stumbled": ("failing", "broken", "bug failed itself", {"bug": "broken"}),
    "Free": ("failing", "no mutant", "no mutant violates it", {}),
    "Safe": ("verified", "immune", "it is decided before a server is asked", {}),
    "Away": ("blocked", "not applicable", "needs replication: one node", {}),
    "Quiet": (
        "failing",
        "not applicable",
        "its mutants changed nothing in its scenarios",
        {"odd": "not applicable"},
    ),
    "Partly": (
        "verified",
        "killed",
        "1 of 2 mutants killed",
        {"does-nothing": "killed", "half": "unsettled"},
    ),
}
MUTANTS = {
    "broken": 1,
    "survived": 1,
    "killed": 2,
    "tolerated": 1,
    "unsettled": 1,
    "timed out": 1,
    "not applicable": 1,
}
BAD = ("Stumbled", "Lived", "Free", "Quiet")
SIGHT = {
    "/sample/all/seen": {"does-nothing": "killed", "other-code": "killed", "open": "survived"},
    "/sample/all/lived": {"does-nothing": "killed", "too-many": "survived", "waits": "timed out"},
    "/sample/all/looks away": {"does-nothing": "survived", "too-many": "survived"},
}


def name_of(requirement: str) -> str:
    return f"RQ.SRS-900.{requirement}"


def verdict_in(run: dict[str, Any], requirement: str) -> dict[str, Any]:
    """What a run says of one requirement, to be changed."""
    return next(
        entry
        for entry in run["sensitivity"]["requirements"]
        if entry["name"] == name_of(requirement)
    )


def sabotaged_run(document: dict[str, Any], id: str = "sabotaged") -> dict[str, Any]:
    """The results.json of the run, made from one without sabotage; anything in it may be changed."""
    scenario, requirement = document["scenarios"][0], document["requirements"][0]
    linked = {
        "Seen": ["/sample/all/seen"],
        "Lived": ["/sample/all/lived", "/sample/all/looks away"],
    }
    states = [
        {
            **requirement,
            "name": name_of(name),
            "state": state,
            "reason": f"not proven: {reason}" if state == "failing" else reason,
            "scenarios": linked.get(name, ["/sample/all/other"]),
            "sensitivity": f"{verdict}: {reason}",
        }
        for name, (state, verdict, reason, _) in VERDICTS.items()
    ]
    known = dict.fromkeys(mutant for *_, ends in VERDICTS.values() for mutant in ends)
    return {
        **document,
        "run": {**document["run"], "id": id, "environment": id},
        "scenarios": [{**scenario, "name": name} for name in [*SIGHT, "/sample/all/other"]],
        "requirements": [
            *states,
            # No mutant was tried on it.
            {**requirement, "name": name_of("Left"), "state": "not run", "scenarios": []},
        ],
        "sensitivity": {
            "thorough": True,
            "mutants": [
                {
                    "name": name,
                    "about": ABOUT,
                    "violates": ["RQ.SRS-900.*"],
                    "tolerated": {name_of("Seen"): KEPT_OPEN} if name == "open" else {},
                }
                for name in known
            ],
            "requirements": [
                {"name": name_of(name), "verdict": verdict, "reason": reason, "mutants": dict(ends)}
                for name, (_, verdict, reason, ends) in VERDICTS.items()
            ],
            "scenarios": [{"name": name, "mutants": dict(ends)} for name, ends in SIGHT.items()],
            "blind": [{"name": "/sample/all/looks away", "reason": "never noticed: does-nothing"}],
            "idle": ["odd"],
        },
    }
