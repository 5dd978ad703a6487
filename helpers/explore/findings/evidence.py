"""What a finding leaves: repro.sql, a bug report, a scenario to start from, and the history itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from helpers.explore.execution.player import DIED
from helpers.explore.findings import repro
from helpers.explore.findings.verify import Verification
from helpers.explore.model.histories import HistoryDifference, Sent
from helpers.explore.model.schema import FRAGMENT
from helpers.explore.model.statements import (
    MUTATES,
    MUTATIONS,
    RESTART,
    SIGKILL,
    STARTED_AGAIN,
)
from helpers.explore.protocol import encode_history

WIDTH = 40
"""Of the bars of a timeline."""
SKELETON = '''"""{title}"""

from testflows.asserts import error
from testflows.core import Given, TestScenario, Then, When

from helpers.scenario.context import this


@TestScenario
def {name}(self):
    """{title}"""
    node = this().node()

    with Given("tables"):
{given}

    with When("the statements of the history are executed"):
{when}

    with Then("{expected}"):
        rows = node.query({look!r})
        assert rows == [], error()  # what the requirement says
'''


@dataclass(frozen=True)
class Finding:
    """A difference, in words and files."""

    signature: str
    reproduced: bool
    died: bool
    statements: int
    files: dict[str, str]

    @property
    def certain(self) -> bool:
        """Whether it is reported as found: it was there again, or the server ended by itself, which
        counts whether it does so again or not."""
        return self.reproduced or self.died

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, difference: HistoryDifference, verification: Verification, profile: str) -> Finding:
        text = verification.script or repro.script_of_sent(difference)
        return cls(
            difference.signature,
            verification.reproduced,
            difference.kind == DIED,
            difference.history.length,
            {
                "repro.sql": text,
                "report.md": _report(difference, verification, text, profile),
                "scenario.py": _scenario(difference),
                "history.json": encode_history(difference, profile),
                **({"server.log": difference.log} if difference.log else {}),
            },
        )


def write(finding: Finding, folder: Path) -> Path:
    """Its files in a folder of their own, named after the finding."""
    kind = "findings" if finding.certain else "not-reproduced"
    return write_files(finding.signature, finding.files, folder / kind)


def write_files(signature: str, files: Mapping[str, str], folder: Path) -> Path:
    place = folder / re.sub(r"[^a-z0-9]+", "-", signature.lower()).strip("-")[:60]
    place.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (place / file).write_text(text, encoding="utf-8")
    return place


def _report(
    difference: HistoryDifference, verification: Verification, text: str, profile: str
) -> str:
    kinds = ", ".join(f"{name}: {kind}" for name, kind in difference.history.kinds.items())
    again = (
        f"Seen again {verification.times} times of {verification.times} on a bare server"
        if verification.reproduced
        else f"Seen again {verification.times} times only on a bare server"
    )
    return "\n".join(
        [
            f"# {difference.signature}",
            "",
            f"ClickHouse {verification.version}, profile {profile}, tables {kinds}. {again}.",
            "",
            f"- Configuration: {_configuration(difference)}",
            f"- Statement: `{difference.sent[-1].sql if difference.sent else '?'}`",
            f"- Expected: {difference.expected}",
            f"- Actual: {difference.actual}",
            *(f"- Explained by: {cause}" for cause in difference.causes),
            "",
            "```sql",
            text.rstrip(),
            "```",
            "",
            *(
                ["## Timeline", "", "```", *_timeline(difference.sent), "```", ""]
                if difference.history.clients
                else []
            ),
            "Run it again: `./regression.py explore --replay history.json`",
            "",
        ]
    )


def _timeline(sent: Sequence[Sent]) -> list[str]:
    """A concurrent history drawn: one line a statement, in the order in which they began, with a bar from its
    beginning to its end on a common scale."""
    first, last = min(call.began for call in sent), max(call.ended for call in sent)
    scale = WIDTH / max(last - first, 1e-6)
    lines = []
    for call in sorted(sent, key=lambda call: call.began):
        start = min(WIDTH - 1, int((call.began - first) * scale))
        length = max(1, int((call.ended - call.began) * scale))
        bar = (" " * start + "=" * length)[:WIDTH].ljust(WIDTH)
        lines.append(f"client {call.client} |{bar}| {call.sql} -> {call.outcome}")
    return lines


def _configuration(difference: HistoryDifference) -> str:
    """What the bare server had that is not as a server comes; settings of tables are in the SQL."""
    history = difference.history
    return "; ".join(
        [
            f"`{repro.SETTINGS}`",
            *([f"configs/fragments/{FRAGMENT}.xml"] if history.tiered else []),
            *(
                ["a disk in an object store (helpers/explore/execution/servers.py)"]
                * history.needs_store
            ),
        ]
    )


def _scenario(difference: HistoryDifference) -> str:
    name = re.sub(r"\W+", "_", difference.signature.lower()).strip("_")
    creates = repro.creates(difference)
    return SKELETON.format(
        title=f"{difference.signature.capitalize()}.",
        name=name,
        given=_queries(creates),
        when=_queries([repro.plain(sent.sql, difference) for sent in difference.sent]),
        expected=difference.expected.replace('"', "'"),
        look=repro.look(difference),
    )


def _queries(statements: list[str]) -> str:
    return "\n".join(f"        {_call(sql)}" for sql in statements) or "        pass"


def _call(sql: str) -> str:
    if sql == STARTED_AGAIN[RESTART]:
        return "node.restart()"
    if sql == STARTED_AGAIN[SIGKILL]:
        return "node.kill()\n        node.start()"
    if sql.startswith("-- "):
        return f"pass  # {sql[3:]}"
    return f"node.query({sql!r}{', settings=' + repr(MUTATIONS) if MUTATES.match(sql) else ''})"
