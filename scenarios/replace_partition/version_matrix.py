"""All versions of ClickHouse that PyPI has: each takes over what each other one wrote."""

from collections.abc import Callable, Sequence

from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.marks import deviates, needs, time_limit
from helpers.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack,
)
from steps.version_matrix import (
    BACKWARDS,
    FORWARDS,
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
from steps.versions import KINDS

# A minute on an idle machine; a hundred processes are slow on a busy one.
SECONDS = 900.0
# What 26.1 and 26.3 have changed in the format of parts, versions before them cannot read.
SINCE_26_3 = VERSIONS[VERSIONS.index("26.3") :]
SINCE_26_1 = ("26.1", *SINCE_26_3)
UNREADABLE = [
    *(("compact", writer, "25.8") for writer in SINCE_26_1),
    *(("wide", writer, taker) for writer in SINCE_26_1 for taker in ("23.10", "24.8", "25.8")),
    *((kind, writer, "26.1") for writer in SINCE_26_3 for kind in KINDS),
]
BEFORE_26_7 = VERSIONS[: VERSIONS.index("26.7")]
Folders = dict[tuple[str, str], Folder]
Pairs = Sequence[tuple[str, str]]


def data_folders(pairs: Pairs) -> Folders:
    """What the first ones of the pairs wrote, for each kind of parts."""
    writers = dict.fromkeys(writer for writer, _ in pairs)
    return {(version, kind): written_folder(version, kind) for version in writers for kind in KINDS}


def own_folders(pairs: Pairs) -> Folders:
    """Tables of the second ones, with empty ones beside them for the parts of another."""
    takers = dict.fromkeys(taker for _, taker in pairs)
    return {
        (version, kind): written_folder(version, kind, OURS, THEIRS)
        for version in takers
        for kind in KINDS
    }


def violated_cells(
    pairs: Pairs,
    take_over: Callable[[str, str, str], str | None],
    if_refused: Callable[[str, str, Refused], str | None] = lambda kind, writer, refused: str(
        refused
    ),
) -> dict[str, str]:
    """What is violated, by kind of parts, writer and taker; a refusal is, unless `if_refused` says else."""

    def violated(kind: str, writer: str, taker: str) -> str | None:
        try:
            return take_over(kind, writer, taker)
        except Refused as refused:
            return if_refused(kind, writer, refused)

    cells = {
        f"{kind}, {writer} to {taker}": violated(kind, writer, taker)
        for kind in KINDS
        for writer, taker in pairs
    }
    return {cell: violated for cell, violated in cells.items() if violated}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
def parts_of_every_older_version(self):
    """Every version attaches parts of every older one and replaces partitions from and into them."""
    with Given("parts that every version wrote, and tables of every version"):
        written, own = data_folders(FORWARDS), own_folders(FORWARDS)

    def take_over(kind: str, writer: str, taker: str) -> str | None:
        return taken_by_attaching(written[writer, kind], own[taker, kind])

    with When("a version attaches parts of an older one and replaces partitions across"):
        violations = violated_cells(FORWARDS, take_over)

    with Then("it has exactly the rows that were written and replaced"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
def data_of_every_older_version(self):
    """Every version opens the data folder of every older one and replaces partitions in it."""
    with Given("a data folder of every version"):
        written = data_folders(FORWARDS)

    def take_over(kind: str, writer: str, taker: str) -> str | None:
        return taken_by_opening(written[writer, kind], taker)

    with When("a newer version opens it and replaces partitions across"):
        violations = violated_cells(FORWARDS, take_over)

    with Then("it has exactly the rows that were written and replaced"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
def parts_of_every_newer_version(self):
    """Every version takes parts of every newer one as they are, or refuses to attach them."""
    with Given("parts that every version wrote, and tables of every version"):
        written, own = data_folders(BACKWARDS), own_folders(BACKWARDS)

    def take_over(kind: str, writer: str, taker: str) -> str | None:
        return taken_by_attaching(written[writer, kind], own[taker, kind])

    with When("a version attaches parts of a newer one and replaces partitions across"):
        violations = violated_cells(BACKWARDS, take_over, if_refused=lambda *_: None)

    with Then("it has exactly the rows that were written and replaced, or has refused them"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_StepBack("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
@deviates(
    step="it has exactly the rows that were written and replaced, or has refused them",
    observed={
        f"{kind}, {writer} to {taker}": "0 of 120 rows" for kind, writer, taker in UNREADABLE
    },
    reason="parts that a version cannot read are put aside as broken when it loads the table, which is "
    "then served without their rows; the version that wrote them does not find them either",
)
def data_of_every_newer_version(self):
    """After a step back rows are served as they are, or refused and all there on the way forwards."""
    with Given("a data folder of every version"):
        written = data_folders(BACKWARDS)

    def take_over(kind: str, writer: str, taker: str) -> str | None:
        return taken_by_opening(written[writer, kind], taker)

    def lost_though_refused(kind: str, writer: str, refused: Refused) -> str | None:
        lost = lost_on_return(written[writer, kind])
        return lost and f"{refused}, and {lost} after the return"

    with When("an older version opens it and replaces partitions across"):
        violations = violated_cells(BACKWARDS, take_over, lost_though_refused)

    with Then("it has exactly the rows that were written and replaced, or has refused them"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions_Crash("1.0"))
@needs(Capability.EVERY_ENGINE)
@time_limit(SECONDS)
@deviates(
    step="the replaced partition holds exactly the new rows, whoever opens it",
    observed={
        f"{version}, opened by {opener}": "the old rows are there beside the new ones"
        for version in BEFORE_26_7
        for opener in (version, VERSIONS[-1])
    },
    reason="before 26.7 nothing on disk says that the old parts were replaced: until they are removed, "
    "whoever loads the table takes them for active ones",
)
def killed_right_after_the_answer(self):
    """Once a version has answered, the new rows are there for good, and only they."""
    with Given("a data folder of every version"):
        written = {version: written_folder(version, "compact") for version in VERSIONS}

    violations = {}
    with When("each is killed right after REPLACE PARTITION, and its folder is opened again"):
        for version, folder in written.items():
            expected = crash_after_replace(folder)
            for opener in sorted({version, VERSIONS[-1]}):
                violated = opened_after_crash(folder, opener, expected)
                if violated:
                    violations[f"{version}, opened by {opener}"] = violated

    with Then("the replaced partition holds exactly the new rows, whoever opens it"):
        assert_no_violations(violations)
