"""Parts written by one version of ClickHouse under a server of another."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When, note

from helpers.cluster.capabilities import Capability
from helpers.context import this
from helpers.marks import needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions,
)
from steps.parts import parts
from steps.tables import contents
from steps.versions import (
    KINDS,
    NEWER,
    OLDER,
    Pair,
    pair_written_in_2018,
    plain_pair,
    replace_across,
    rewritten,
    server,
    written_pair,
)


def take_over(name: str, written: Pair, own: Pair) -> list[str]:
    """Replace partitions across the versions; what went wrong, also once the parts are merged."""
    wrong = replace_across(written, own)
    tables = [written.source, written.destination, own.source, own.destination]
    held = [contents(table) for table in tables]
    if rewritten(tables) != held:
        wrong.append("other rows after a merge")
    return [f"{name}, {one}" for one in wrong]


def written_by_one_taken_over_by_other(writer: str, replacer: str) -> list[str]:
    """Parts of both kinds, written by one engine, replaced from and into by the other."""
    with Given(f"tables written by {writer}"):
        node = server(writer)
        wrote = node.version
        written = {kind: written_pair(node, kind) for kind in KINDS}
        before = {kind: parts(pair.source) for kind, pair in written.items()}

    with And(f"the same data under {replacer}, untouched, and tables written by that"):
        node = server(replacer)
        assert node.version != wrote, error()
        assert {kind: parts(pair.source) for kind, pair in written.items()} == before, error()
        own = {kind: written_pair(node, kind) for kind in KINDS}

    with When("I replace partitions from and into what the other version wrote"):
        return [
            wrong
            for kind in KINDS
            for wrong in take_over(f"{kind} parts", written[kind], own[kind])
        ]


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.SECOND_ENGINE)
def newer_server_takes_over(self):
    """A newer server uses parts of an older one as source and as replaced partition. Where a server of
    2018 is installed, its parts too."""
    wrong = written_by_one_taken_over_by_other(OLDER, NEWER)

    missing = this().why_not((Capability.OLD_SERVER,))
    if missing:
        note(f"without parts of 2018: {missing}")
    else:
        with Given("tables with parts written in the form of 2018"):
            node = server(NEWER)
            written, own = pair_written_in_2018(node), plain_pair(node)

        with When("I replace partitions from and into them"):
            wrong += take_over("parts of 2018", written, own)

    with Then("every partition has the rows of its source, and nothing else has changed"):
        assert wrong == [], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Versions("1.0"))
@needs(Capability.SECOND_ENGINE)
def older_server_takes_over(self):
    """After a step back, the older server uses parts of the newer one as source and as replaced
    partition."""
    wrong = written_by_one_taken_over_by_other(NEWER, OLDER)

    with Then("every partition has the rows of its source, and nothing else has changed"):
        assert wrong == [], error()
