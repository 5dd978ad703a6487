"""The matrix of versions: each takes over what each other one has written; and the marks of its scenarios."""

from collections.abc import Callable, Sequence

from testflows.core import Given, TestOutline, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import Marked, deviates, needs, time_limit
from helpers.scenario.violations import assert_no_violations
from steps.replace_partition.version_matrix import (
    OURS,
    THEIRS,
    VERSIONS,
    Folder,
    Refused,
    crash_after_replace,
    lost_on_return,
    opened_after_crash,
    taken_by_attaching,
    taken_by_opening,
    written_folder,
)
from steps.replace_partition.versions import KINDS

# A minute on an idle machine; a hundred processes are slow on a busy one.
SECONDS = 900.0
# What 26.1 and 26.3 have changed in the format of parts, versions before them cannot read.
_SINCE_26_3 = VERSIONS[VERSIONS.index("26.3") :]
_SINCE_26_1 = ("26.1", *_SINCE_26_3)  # 2 variants
_UNREADABLE = [  # 3 variants
    *(("compact", writer, "25.8") for writer in _SINCE_26_1),
    *(("wide", writer, taker) for writer in _SINCE_26_1 for taker in ("23.10", "24.8", "25.8")),
    *((kind, writer, "26.1") for writer in _SINCE_26_3 for kind in KINDS),
]
_BEFORE_26_7 = VERSIONS[: VERSIONS.index("26.7")]
TAKEN_OVER = "it has exactly the rows that were written and replaced"
TAKEN_OVER_OR_REFUSED = f"{TAKEN_OVER}, or has refused them"
REPLACED_FOR_GOOD = "the replaced partition holds exactly the new rows, whichever version opens it"
Folders = dict[tuple[str, str], Folder]
Pairs = Sequence[tuple[str, str]]
IfRefused = Callable[[str, str, Refused], str | None]


def matrix(*capabilities: Capability) -> Callable[[Marked], Marked]:
    """The marks of a scenario on the versions of all wheels: what it needs, and its time limit."""
    required = needs(Capability.EVERY_ENGINE, *capabilities)
    limited = time_limit(SECONDS)

    def mark(scenario: Marked) -> Marked:
        return required(limited(scenario))

    return mark


def loses_rows(pairs: Pairs) -> Callable[[Marked], Marked]:
    """ClickHouse loses all rows where the second of a pair cannot read the parts of the first."""
    return deviates(
        id="version-matrix.data-of-every-newer-version",
        step=TAKEN_OVER_OR_REFUSED,
        observed={
            f"{kind}, {writer} to {taker}": "0 of 120 rows"
            for kind, writer, taker in _UNREADABLE
            if (writer, taker) in pairs
        },
        reason="parts that a version cannot read are put aside as broken when it loads the table, which is "
        "then served without their rows; the version that wrote them does not find them either",
        kind="by design",
        severity="data lost",
        upstream="https://clickhouse.com/docs/operations/update#downgrades",
        no_sql="it takes engines of two versions, one after the other on the same data folder",
    )


def restores_replaced_rows(versions: Sequence[str]) -> Callable[[Marked], Marked]:
    """A crash of one of these versions brings the replaced rows back."""
    return deviates(
        id="version-matrix.killed-right-after-the-answer",
        step=REPLACED_FOR_GOOD,
        observed={
            f"{version}, opened by {opener}": "the old rows are there as well as the new ones"
            for version in versions
            if version in _BEFORE_26_7
            for opener in (version, VERSIONS[-1])
        },
        reason="before 26.7 nothing on disk says that the old parts were replaced: until they are removed, "
        "every version that loads the table takes them for active ones",
        kind="bug",
        severity="wrong answer",
        upstream="https://github.com/ClickHouse/ClickHouse/issues/107605",
        no_sql="it kills engines of other versions right after they have answered",
    )


def _data_folders(pairs: Pairs) -> Folders:
    """What the first ones of the pairs wrote, for each kind of parts."""
    writers = dict.fromkeys(writer for writer, _ in pairs)
    return {(version, kind): written_folder(version, kind) for version in writers for kind in KINDS}


def _own_folders(pairs: Pairs) -> Folders:
    """Tables of the second ones, and empty ones for the parts of another."""
    takers = dict.fromkeys(taker for _, taker in pairs)
    return {
        (version, kind): written_folder(version, kind, OURS, THEIRS)
        for version in takers
        for kind in KINDS
    }


def _violated(
    pairs: Pairs,
    take_over: Callable[[str, str, str], str | None],
    if_refused: IfRefused | None,
) -> dict[str, str]:
    """What is violated, by kind of parts, writer and taker; a refusal is, unless `if_refused` says what
    it means."""

    def violated(kind: str, writer: str, taker: str) -> str | None:
        try:
            return take_over(kind, writer, taker)
        except Refused as refused:
            return if_refused(kind, writer, refused) if if_refused else str(refused)

    cells = {
        f"{kind}, {writer} to {taker}": violated(kind, writer, taker)
        for kind in KINDS
        for writer, taker in pairs
    }
    return {cell: violated for cell, violated in cells.items() if violated}


@TestOutline
def attached(self, *, pairs, is_step_back=False):
    """The second of each pair attaches parts of the first; on a step back it may refuse them."""
    with Given("parts that every version wrote, and tables of every version"):
        written, own = _data_folders(pairs), _own_folders(pairs)

    def take_over(kind: str, writer: str, taker: str) -> str | None:
        return taken_by_attaching(written[writer, kind], own[taker, kind])

    with When("a version attaches parts of another one and replaces partitions across"):
        violations = _violated(pairs, take_over, (lambda *_: None) if is_step_back else None)

    with Then(TAKEN_OVER_OR_REFUSED if is_step_back else TAKEN_OVER):
        assert_no_violations(violations)


@TestOutline
def opened(self, *, pairs, is_step_back=False):
    """The second of each pair opens the data folder of the first; a step back may be refused, if nothing is
    lost by it."""
    with Given("a data folder of every version"):
        written = _data_folders(pairs)

    def take_over(kind: str, writer: str, taker: str) -> str | None:
        return taken_by_opening(written[writer, kind], taker)

    def lost_though_refused(kind: str, writer: str, refused: Refused) -> str | None:
        lost = lost_on_return(written[writer, kind])
        return lost and f"{refused}, and {lost} after the return"

    with When("another version opens it and replaces partitions across"):
        violations = _violated(pairs, take_over, lost_though_refused if is_step_back else None)

    with Then(TAKEN_OVER_OR_REFUSED if is_step_back else TAKEN_OVER):
        assert_no_violations(violations)


@TestOutline
def killed(self, *, versions):
    """Each of these is killed right after REPLACE PARTITION."""
    with Given("a data folder of each version"):
        written = {version: written_folder(version, "compact") for version in versions}

    violations = {}
    with When("it is killed right after REPLACE PARTITION, and its folder is opened again"):
        for version, folder in written.items():
            expected = crash_after_replace(folder)
            for opener in sorted({version, VERSIONS[-1]}):
                violated = opened_after_crash(folder, opener, expected)
                if violated:
                    violations[f"{version}, opened by {opener}"] = violated

    with Then(REPLACED_FOR_GOOD):
        assert_no_violations(violations)
