"""Parts written by one version of ClickHouse under a server of another."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.base.versions import numbers
from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions,
)
from steps.parts import parts
from steps.replace_partition.versions import (
    KINDS,
    NEWER,
    OLDER,
    VersionPair,
    pair_written_in_2018,
    plain_pair,
    replace_across,
    rewritten,
    server,
    written_pair,
)
from steps.tables import contents

TAKEN_OVER = "every partition has the rows of its source, and nothing else has changed"


def is_of(version: str, wheel: str) -> bool:
    """Whether a server's version is that of this wheel: they share the first two numbers."""
    return numbers(version)[:2] == numbers(wheel)[:2]


def take_over(name: str, written: VersionPair, own: VersionPair) -> list[str]:
    """Replace partitions across the versions; what is violated, also once the parts are merged."""
    violations = replace_across(written, own)
    tables = [written.source, written.destination, own.source, own.destination]
    held = [contents(table) for table in tables]
    if rewritten(tables) != held:
        violations.append("other rows after a merge")
    return [f"{name}, {violation}" for violation in violations]


@TestOutline
def parts_are_taken_over(self, *, writer, replacer):
    """Parts of both kinds, written by one engine, replaced from and into by the other."""
    with Given(f"tables written by {writer}"):
        node = server(writer)
        assert is_of(node.version, writer), error()
        written = {kind: written_pair(node, kind) for kind in KINDS}
        before = {kind: parts(pair.source) for kind, pair in written.items()}

    with And(f"the same data under {replacer}, untouched, and tables written by that"):
        node = server(replacer)
        assert is_of(node.version, replacer), error()
        assert {kind: parts(pair.source) for kind, pair in written.items()} == before, error()
        own = {kind: written_pair(node, kind) for kind in KINDS}

    with When("I replace partitions from and into what the other version wrote"):
        violations = [
            violation
            for kind in KINDS
            for violation in take_over(f"{kind} parts", written[kind], own[kind])
        ]

    with Then(TAKEN_OVER):
        assert violations == [], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.SECOND_ENGINE)
def newer_server_takes_over(self):
    """A newer server uses parts of an older one as source and as replaced partition."""
    parts_are_taken_over(writer=OLDER, replacer=NEWER)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.OLD_SERVER)
def parts_of_2018_are_taken_over(self):
    """A server uses parts that a server of 2018 wrote as source and as replaced partition."""
    with Given("tables with parts written by a server of 2018, and tables written by this one"):
        node = this().node()
        written, own = pair_written_in_2018(node), plain_pair(node)

    with When("I replace partitions from and into them"):
        violations = take_over("parts of 2018", written, own)

    with Then(TAKEN_OVER):
        assert violations == [], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.SECOND_ENGINE)
def older_server_takes_over(self):
    """After a step back, the older server uses parts of the newer one as source and as replaced
    partition."""
    parts_are_taken_over(writer=NEWER, replacer=OLDER)
