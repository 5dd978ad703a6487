"""Made-up results of any size, the same for the same arguments; shared by benchmarks and tests."""

from __future__ import annotations

import random
from itertools import starmap
from typing import Any

from helpers.scenario.marks import Marks
from helpers.scenario.result import Link
from helpers.scenario.scenario import Scenario

SECTIONS = ("Basics", "Conditions", "Partition Types", "Concurrent Actions", "Privileges", "Errors")
WORDS = [
    *("table", "partition", "source", "destination", "part", "row", "column", "replica"),
    *("disk", "policy", "engine", "statement", "user", "grant", "insert", "merge"),
    *("mutation", "lock", "snapshot", "order", "key", "schema", "index", "rollback"),
]
SEED = 7
KINDS = ("bug", "by design", "requirement")
SEVERITIES = ("message", "data lost", "wrong answer", "wrong refusal or acceptance")
ENVIRONMENTS = (("embedded", "26.9.2.1"), ("docker", "26.8.1.4"), ("remote", "26.3.7.2"))


def sample_results(requirements: int, column: int = 0) -> dict[str, Any]:
    """The results.json of one run; columns share requirements and differ in how they end."""
    texts = random.Random(SEED)
    ends = random.Random(SEED * 1000 + column)
    environment, clickhouse = ENVIRONMENTS[column % len(ENVIRONMENTS)]
    scenarios, states = [], []
    for index in range(requirements):
        srs = f"SRS-{901 + index * 5 // requirements}"
        section = SECTIONS[index * 30 // requirements % len(SECTIONS)]
        words = " ".join(texts.choices(WORDS, k=60))
        name = f"RQ.{srs}.ClickHouse.{section.replace(' ', '')}.Requirement{index:04}"
        text = (
            f"[ClickHouse] SHALL keep the {words[:200]} when `{words[200:230]}` is replaced.\n\n"
            f"```sql\nALTER TABLE {texts.choice(WORDS)} REPLACE PARTITION {index} FROM source\n```"
        )
        state = ends.choices(
            ("verified", "deviates", "failing", "blocked", "untested"), (80, 5, 2, 8, 5)
        )[0]
        link = {"name": name, "version": "1.0"}
        scenario = _scenario(index, state, link, section, ends)
        if state != "untested":
            scenarios.append(scenario)
        states.append(
            {
                **link,
                "specification": srs,
                "file": f"requirements/{srs.lower()}.md",
                "line": index + 10,
                "state": state,
                "reason": scenario["reason"] or (state == "untested" and "no scenario names it"),
                "scenarios": [scenario["name"]] if state != "untested" else [],
                "title": f"ClickHouse Sample {srs[-1]}",
                "section": [section, f"{section} of {srs}"],
                "text": text,
                "hash": f"{SEED * 100_003 + index:012x}",
            }
        )
        states[-1]["reason"] = states[-1]["reason"] or None
    return {
        "schema": 1,
        "run": {
            "id": f"20261116-0{column}4500-1a2b",
            "started": f"2026-11-16T0{column}:45:00Z",
            "seconds": 212.3,
            "seed": 12345,
            "environment": environment,
            "clickhouse": clickhouse,
            "exit_code": 1,
            "interrupted": False,
            "command": f"./regression.py --env {environment}",
            "workers": 2,
            "capabilities": {"replication": "no: one node without Keeper", "s3": "yes"},
        },
        "scenarios": scenarios,
        "requirements": states,
    }


def _scenario(
    index: int, state: str, link: dict[str, str], section: str, ends: random.Random
) -> dict[str, Any]:
    result, reason = {
        "verified": ("OK", None),
        "untested": ("OK", None),
        "deviates": ("XFail", "the engine accepts what the specification forbids"),
        "failing": ("Fail", f"expected {index} rows, found {ends.randrange(index + 1)}"),
        "blocked": ("Skip", "needs replication: one node without Keeper"),
    }[state]
    name = f"/sample/{section.lower()}/scenario {index:04}"
    table = f"scenario_{index:04}_{ends.randrange(1 << 32):08x}"
    return {
        "name": name,
        "result": result,
        "reason": reason,
        "seconds": round(ends.uniform(0.05, 2), 3),
        "file": f"scenarios/sample/{section.lower().replace(' ', '_')}.py",
        "line": index % 150 + 10,
        "requirements": [link],
        "step": "Then the destination took the partition" if result == "Fail" else None,
        "message": f"AssertionError: {reason}\n  rows(destination) == {index}\n"
        if result == "Fail"
        else None,
        "deviation": {
            "id": f"sample.{index:04}",
            "reason": reason,
            "kind": KINDS[index % len(KINDS)],
            "severity": SEVERITIES[index % len(SEVERITIES)],
            "upstream": "https://example.com/1",
        }
        if result == "XFail"
        else None,
        "needs": ["replication"] if result == "Skip" else [],
        "rerun": f'./regression.py --only "{name}" --seed 12345',
        "folder": f"scenarios/sample-{index:04}" if result == "Fail" else None,
        "statements": []
        if result == "Skip"
        else [
            f"node1: CREATE TABLE {table} (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p",
            f"node1: INSERT INTO {table} SELECT number % 3, number FROM numbers({index + 10})",
            f"node1: ALTER TABLE {table}_d REPLACE PARTITION 1 FROM {table}",
            f"node1: SELECT count(), sum(cityHash64(*)) FROM {table} WHERE p = 1",
        ],
    }


def sample_scenario(name: str, *links: tuple[str, str], line: int = 7) -> Scenario:
    """A scenario that verifies requirements in these versions and cannot be run."""
    return Scenario(
        name, "a", "b", "c", "scenarios/a/b.py", line, tuple(starmap(Link, links)), Marks(), None
    )
